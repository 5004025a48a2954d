import { limits } from '../limits.ts'
import { type EventLoop, nodeEventLoop } from '../runtime/event-loop.ts'

/** A request that waits for admission. */
interface QueuedRequest {
  /** The number of requests as which it counts, by the length of its body. */
  readonly weight: number
  readonly sinceMs: number
  readonly resolve: (admitted: boolean) => void
}

/** The requests of one merchant in this process. */
export interface TenantQueue {
  /** Bytes of bodies that are being read. */
  bodyBytes: number
  /** Bytes of unsent answers. */
  unsentBytes: number
  /** The weight of the requests in progress. */
  inProgress: number
  /** The weight of the requests that wait. */
  queued: number
  readonly waiting: QueuedRequest[]
}

/**
 * Per-tenant fair queue of requests. The weight of the requests in progress, the weight of the requests that wait, and
 * the time of waiting are bounded. The merchant with the least weight in progress is admitted first; when the queue is
 * full, the newest request of the merchant with the most waiting weight is rejected. The requests of a flood are
 * therefore admitted last and rejected first.
 */
export interface FairQueue {
  queueOf(merchant: string): TenantQueue
  /** Whether a request of this merchant could now be admitted or wait; if not, `enter` refuses it. */
  hasRoom(queue: TenantQueue): boolean
  /**
   * @param bytes the bytes of the body, which determine the weight of the request
   * @returns whether it is admitted, now or after waiting; an admitted request must `leave`
   */
  enter(queue: TenantQueue, bytes: number): boolean | Promise<boolean>
  leave(queue: TenantQueue, bytes: number): void
  /**
   * Runs work that waits for another system. Meanwhile an admitted request does not count as in progress, because it
   * needs no processor; so a slow acquirer delays no other request.
   *
   * @param bytes those of `enter`
   */
  whileWaiting<T>(queue: TenantQueue, bytes: number, work: () => Promise<T>): Promise<T>
}

/** A large body counts as several requests. */
const weightOf = (bytes: number): number => 1 + Math.floor(bytes / limits.requestWeightBytes)

export function createFairQueue({ now, later }: Pick<EventLoop, 'now' | 'later'> = nodeEventLoop): FairQueue {
  const byTenant = new Map<string, TenantQueue>()
  /** Queues with waiting requests, in the order of their last admission. */
  const nonEmpty = new Set<TenantQueue>()
  let inProgress = 0
  let queued = 0
  /** Admitted requests that wait for another system. */
  let waitingElsewhere = 0
  /** Requests admitted since sockets were last read. */
  let admittedInStep = 0
  let isStepPlanned = false

  function begin(queue: TenantQueue, weight: number): void {
    queue.inProgress += weight
    inProgress += weight
  }

  /** Removes a waiting request from the counts. */
  function dequeue(queue: TenantQueue, weight: number): void {
    if (queue.waiting.length === 0) nonEmpty.delete(queue)
    queue.queued -= weight
    queued -= weight
  }

  /**
   * Makes room for `weight` more in this queue by rejecting requests of longer queues.
   *
   * @returns whether there is room
   */
  function makeRoom(queue: TenantQueue, weight: number): boolean {
    const ownQueued = queue.queued + weight
    let spare = 0
    for (const other of nonEmpty) if (other.queued > ownQueued) spare += other.queued - ownQueued
    if (queued + weight - spare > limits.queuedRequestsMax) return false
    while (queued + weight > limits.queuedRequestsMax) {
      const longest = longestOf(queue, weight)
      const newest = longest === queue ? undefined : longest.waiting.pop()
      if (!newest) return false
      dequeue(longest, newest.weight)
      newest.resolve(false)
    }
    return true
  }

  /** The queue with the most waiting weight; this one counts with `weight` more. */
  function longestOf(queue: TenantQueue, weight: number): TenantQueue {
    let longest = queue
    let queuedMax = queue.queued + weight
    for (const other of nonEmpty) {
      if (other.queued <= queuedMax) continue
      longest = other
      queuedMax = other.queued
    }
    return longest
  }

  function nextQueue(): TenantQueue | undefined {
    let next: TenantQueue | undefined
    for (const queue of nonEmpty) if (!next || queue.inProgress < next.inProgress) next = queue
    return next
  }

  /** Admits requests up to `limits.admittedRequestsMax`, in short steps between which new requests are read. */
  function admitNext(): void {
    while (inProgress < limits.admittedRequestsMax && nonEmpty.size > 0) {
      if (admittedInStep === limits.admittedPerStep) return planStep()
      const queue = nextQueue()
      const request = queue?.waiting.shift()
      if (!queue || !request) return
      nonEmpty.delete(queue)
      nonEmpty.add(queue)
      dequeue(queue, request.weight)
      const isInTime = now() - request.sinceMs <= limits.waitingMsMax
      if (isInTime) {
        admittedInStep += 1
        begin(queue, request.weight)
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

  function leave(queue: TenantQueue, bytes: number): void {
    const weight = weightOf(bytes)
    queue.inProgress -= weight
    inProgress -= weight
    admitNext()
  }

  return {
    queueOf(merchant) {
      const existing = byTenant.get(merchant)
      if (existing) return existing
      const queue = { bodyBytes: 0, unsentBytes: 0, inProgress: 0, queued: 0, waiting: [] }
      byTenant.set(merchant, queue)
      return queue
    },
    hasRoom: (queue) => queued < limits.queuedRequestsMax || longestOf(queue, 1) !== queue,
    enter(queue, bytes) {
      const weight = weightOf(bytes)
      if (inProgress < limits.admittedRequestsMax && nonEmpty.size === 0) {
        begin(queue, weight)
        return true
      }
      if (!makeRoom(queue, weight)) return false
      queue.queued += weight
      queued += weight
      nonEmpty.add(queue)
      const admission = new Promise<boolean>((resolve) => {
        queue.waiting.push({ weight, sinceMs: now(), resolve })
      })
      admitNext()
      return admission
    },
    leave,
    async whileWaiting(queue, bytes, work) {
      if (waitingElsewhere >= limits.waitingElsewhereMax) return work()
      waitingElsewhere += 1
      leave(queue, bytes)
      try {
        return await work()
      } finally {
        waitingElsewhere -= 1
        begin(queue, weightOf(bytes))
      }
    },
  }
}
