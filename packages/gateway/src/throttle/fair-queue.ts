import { limits } from '../limits.ts'
import { type EventLoop, nodeEventLoop } from '../runtime/event-loop.ts'

/** A request that waits for admission. */
interface QueuedRequest {
  readonly units: number
  readonly sinceMs: number
  readonly resolve: (admitted: boolean) => void
}

/** The requests of one merchant in this process. */
export interface TenantQueue {
  /** Bytes of bodies that are being read. */
  bodyBytes: number
  /** Bytes of unsent answers. */
  unsentBytes: number
  /** Units in progress. */
  working: number
  /** Units that wait. */
  queued: number
  readonly waiting: QueuedRequest[]
}

/**
 * Per-tenant fair queue of requests. Units in progress, units that wait and the time of waiting are bounded. The
 * merchant with the fewest units in progress is admitted first; when the queue is full, the newest request of the
 * merchant with the most waiting units is rejected. A flood delays and rejects only the merchant that sends it.
 */
export interface FairQueue {
  queueOf(merchant: string): TenantQueue
  /** Whether a request of this merchant could now be admitted or wait; if not, `enter` refuses it. */
  hasRoom(queue: TenantQueue): boolean
  /**
   * @param bytes the bytes of the body, by which a request counts as one unit or more
   * @returns whether it is admitted, now or after waiting; an admitted request must `leave`
   */
  enter(queue: TenantQueue, bytes: number): boolean | Promise<boolean>
  leave(queue: TenantQueue, bytes: number): void
}

/** A large body counts as several requests. */
const unitsOf = (bytes: number): number => 1 + Math.floor(bytes / limits.unitBytes)

export function createFairQueue({ now, later }: Pick<EventLoop, 'now' | 'later'> = nodeEventLoop): FairQueue {
  const byTenant = new Map<string, TenantQueue>()
  /** Queues with waiting requests, in the order of their last admission. */
  const nonEmpty = new Set<TenantQueue>()
  let working = 0
  let queued = 0
  /** Requests admitted since sockets were last read. */
  let admittedInStep = 0
  let isStepPlanned = false

  function begin(queue: TenantQueue, units: number): void {
    queue.working += units
    working += units
  }

  /** Removes a waiting request from the counts. */
  function dequeue(queue: TenantQueue, units: number): void {
    if (queue.waiting.length === 0) nonEmpty.delete(queue)
    queue.queued -= units
    queued -= units
  }

  /**
   * Makes room for `units` more in this queue by rejecting requests of longer queues.
   *
   * @returns whether there is room
   */
  function makeRoom(queue: TenantQueue, units: number): boolean {
    const ownUnits = queue.queued + units
    let spare = 0
    for (const other of nonEmpty) if (other.queued > ownUnits) spare += other.queued - ownUnits
    if (queued + units - spare > limits.waitingUnits) return false
    while (queued + units > limits.waitingUnits) {
      const longest = longestOf(queue, units)
      const newest = longest === queue ? undefined : longest.waiting.pop()
      if (!newest) return false
      dequeue(longest, newest.units)
      newest.resolve(false)
    }
    return true
  }

  /** The queue with the most waiting units; this one counts with `units` more. */
  function longestOf(queue: TenantQueue, units: number): TenantQueue {
    let longest = queue
    let unitsMax = queue.queued + units
    for (const other of nonEmpty) {
      if (other.queued <= unitsMax) continue
      longest = other
      unitsMax = other.queued
    }
    return longest
  }

  function nextQueue(): TenantQueue | undefined {
    let next: TenantQueue | undefined
    for (const queue of nonEmpty) if (!next || queue.working < next.working) next = queue
    return next
  }

  /** Admits requests up to `limits.workingUnits`, in short steps between which new requests are read. */
  function admitNext(): void {
    while (working < limits.workingUnits && nonEmpty.size > 0) {
      if (admittedInStep === limits.admittedPerStep) return planStep()
      const queue = nextQueue()
      const request = queue?.waiting.shift()
      if (!queue || !request) return
      nonEmpty.delete(queue)
      nonEmpty.add(queue)
      dequeue(queue, request.units)
      const isInTime = now() - request.sinceMs <= limits.waitingMsMax
      if (isInTime) {
        admittedInStep += 1
        begin(queue, request.units)
      }
      request.resolve(isInTime)
    }
    if (admittedInStep > 0) planStep()
  }

  /** Plans the next step, after sockets were read. */
  function planStep(): void {
    if (isStepPlanned) return
    isStepPlanned = true
    later(() => {
      isStepPlanned = false
      admittedInStep = 0
      admitNext()
    })
  }

  return {
    queueOf(merchant) {
      const existing = byTenant.get(merchant)
      if (existing) return existing
      const queue = { bodyBytes: 0, unsentBytes: 0, working: 0, queued: 0, waiting: [] }
      byTenant.set(merchant, queue)
      return queue
    },
    hasRoom: (queue) => queued < limits.waitingUnits || longestOf(queue, 1) !== queue,
    enter(queue, bytes) {
      const units = unitsOf(bytes)
      if (working < limits.workingUnits && nonEmpty.size === 0) {
        begin(queue, units)
        return true
      }
      if (!makeRoom(queue, units)) return false
      queue.queued += units
      queued += units
      nonEmpty.add(queue)
      const admission = new Promise<boolean>((resolve) => {
        queue.waiting.push({ units, sinceMs: now(), resolve })
      })
      admitNext()
      return admission
    },
    leave(queue, bytes) {
      const units = unitsOf(bytes)
      queue.working -= units
      working -= units
      admitNext()
    },
  }
}
