import { limits } from '../limits.ts'

/** Someone whose turn comes, or does not. */
interface Waiting {
  readonly units: number
  readonly settle: (admitted: boolean) => void
}

/** What one merchant has in the process. */
export interface Line {
  /** Bytes of bodies that are being read. */
  bodyBytes: number
  /** Units that are being worked on. */
  working: number
  /** Units that wait for their turn. */
  queued: number
  readonly waiting: Waiting[]
}

/**
 * Who is worked for, and who waits. What is worked on at once is bounded, and so is what waits. Of those that wait, the
 * merchant for whom the least is being worked on goes first; where there is no more room to wait, the newest request of
 * the one with the most waiting has to go. So whoever floods waits for himself, and turns himself away.
 */
export interface Admission {
  line(merchant: string): Line
  /**
   * @param bytes of the body, by which a request counts as one unit or more
   * @returns whether it may begin, now or when its turn comes; whoever began must `leave`
   */
  enter(line: Line, bytes: number): boolean | Promise<boolean>
  leave(line: Line, bytes: number): void
}

/** A large body is as much work as many usual ones, and takes as much room. */
const unitsOf = (bytes: number): number => 1 + Math.floor(bytes / limits.unitBytes)

export function createAdmission(): Admission {
  const lines = new Map<string, Line>()
  /** Lines in which somebody waits, in the order in which they had their last turn. */
  const queues = new Set<Line>()
  let working = 0
  let queued = 0

  function begin(line: Line, units: number): void {
    line.working += units
    working += units
  }

  function take(line: Line, next: Waiting | undefined): void {
    if (line.waiting.length === 0) queues.delete(line)
    line.queued -= next?.units ?? 0
    queued -= next?.units ?? 0
  }

  /** Makes room for `units` more of this line, as long as it is not the longest itself. */
  function makeRoom(line: Line, units: number): boolean {
    while (queued + units > limits.waitingUnits) {
      let longest = line
      let most = line.queued + units
      for (const other of queues) {
        if (other.queued <= most) continue
        longest = other
        most = other.queued
      }
      if (longest === line) return false
      const last = longest.waiting.pop()
      take(longest, last)
      last?.settle(false)
    }
    return true
  }

  function nextTurn(): void {
    let next: Line | undefined
    for (const line of queues) if (!next || line.working < next.working) next = line
    const first = next?.waiting.shift()
    if (!next || !first) return
    queues.delete(next)
    queues.add(next)
    take(next, first)
    begin(next, first.units)
    first.settle(true)
  }

  return {
    line(merchant) {
      const known = lines.get(merchant)
      if (known) return known
      const line = { bodyBytes: 0, working: 0, queued: 0, waiting: [] }
      lines.set(merchant, line)
      return line
    },
    enter(line, bytes) {
      const units = unitsOf(bytes)
      if (working < limits.workingUnits) {
        begin(line, units)
        return true
      }
      if (!makeRoom(line, units)) return false
      line.queued += units
      queued += units
      queues.add(line)
      return new Promise((settle) => void line.waiting.push({ units, settle }))
    },
    leave(line, bytes) {
      const units = unitsOf(bytes)
      line.working -= units
      working -= units
      while (working < limits.workingUnits && queues.size > 0) nextTurn()
    },
  }
}
