import { limits } from '../limits.ts'
import { machine, type World } from '../runtime/event-loop.ts'

/** Someone whose turn comes, or does not. */
interface Waiting {
  readonly units: number
  readonly sinceMs: number
  readonly settle: (admitted: boolean) => void
}

/** What one merchant has in the process. */
export interface Line {
  /** Bytes of bodies that are being read. */
  bodyBytes: number
  /** Bytes of answers that have not left. */
  unsentBytes: number
  /** Units that are being worked on. */
  working: number
  /** Units that wait for their turn. */
  queued: number
  readonly waiting: Waiting[]
}

/**
 * Who is worked for, and who waits. What is worked on at once is bounded, so is what waits, and for how long. Of those
 * that wait, the merchant for whom the least is being worked on goes first; where there is no more room to wait, the
 * newest request of the one with the most waiting has to go. Whoever floods waits for himself, and turns himself away.
 */
export interface Admission {
  line(merchant: string): Line
  /** Whether a request of this line would be let in, or wait, if it were to `enter` now: false is final. */
  takes(line: Line): boolean
  /**
   * @param bytes of the body, by which a request counts as one unit or more
   * @returns whether it may begin, now or when its turn comes; whoever began must `leave`
   */
  enter(line: Line, bytes: number): boolean | Promise<boolean>
  leave(line: Line, bytes: number): void
}

/** A large body is as much work as many usual ones, and takes as much room. */
const unitsOf = (bytes: number): number => 1 + Math.floor(bytes / limits.unitBytes)

export function createAdmission({ now, later }: Pick<World, 'now' | 'later'> = machine): Admission {
  const lines = new Map<string, Line>()
  /** Lines in which somebody waits, in the order in which they had their last turn. */
  const queues = new Set<Line>()
  let working = 0
  let queued = 0
  /** Turns since it was last read what has arrived. */
  let turns = 0
  let resumes = false

  function begin(line: Line, units: number): void {
    line.working += units
    working += units
  }

  /** Notes that one of them waits no more. */
  function unqueue(line: Line, units: number): void {
    if (line.waiting.length === 0) queues.delete(line)
    line.queued -= units
    queued -= units
  }

  /** Makes room for `units` more of this line, as long as it is not the longest itself; else takes nobody's. */
  function makeRoom(line: Line, units: number): boolean {
    const own = line.queued + units
    let spare = 0
    for (const other of queues) if (other.queued > own) spare += other.queued - own
    if (queued + units - spare > limits.waitingUnits) return false
    while (queued + units > limits.waitingUnits) {
      const longest = longestOf(line, units)
      const newest = longest === line ? undefined : longest.waiting.pop()
      if (!newest) return false
      unqueue(longest, newest.units)
      newest.settle(false)
    }
    return true
  }

  /** The line with the most waiting, of which this one has `units` more. */
  function longestOf(line: Line, units: number): Line {
    let longest = line
    let most = line.queued + units
    for (const other of queues) {
      if (other.queued <= most) continue
      longest = other
      most = other.queued
    }
    return longest
  }

  function nextLine(): Line | undefined {
    let next: Line | undefined
    for (const line of queues) if (!next || line.working < next.working) next = line
    return next
  }

  /** Goes on until all places are taken, in short steps: whoever comes between two of them may go first. */
  function takeTurns(): void {
    while (working < limits.workingUnits && queues.size > 0) {
      if (turns === limits.turnsTogether) return resume()
      const line = nextLine()
      const first = line?.waiting.shift()
      if (!line || !first) return
      queues.delete(line)
      queues.add(line)
      unqueue(line, first.units)
      const inTime = now() - first.sinceMs <= limits.waitingMsMax
      if (inTime) {
        turns += 1
        begin(line, first.units)
      }
      first.settle(inTime)
    }
    if (turns > 0) resume()
  }

  function resume(): void {
    if (resumes) return
    resumes = true
    later(() => {
      resumes = false
      turns = 0
      takeTurns()
    })
  }

  return {
    line(merchant) {
      const known = lines.get(merchant)
      if (known) return known
      const line = { bodyBytes: 0, unsentBytes: 0, working: 0, queued: 0, waiting: [] }
      lines.set(merchant, line)
      return line
    },
    takes: (line) => queued < limits.waitingUnits || longestOf(line, 1) !== line,
    enter(line, bytes) {
      const units = unitsOf(bytes)
      if (working < limits.workingUnits && queues.size === 0) {
        begin(line, units)
        return true
      }
      if (!makeRoom(line, units)) return false
      line.queued += units
      queued += units
      queues.add(line)
      const turn = new Promise<boolean>((settle) => {
        line.waiting.push({ units, sinceMs: now(), settle })
      })
      takeTurns()
      return turn
    },
    leave(line, bytes) {
      const units = unitsOf(bytes)
      line.working -= units
      working -= units
      takeTurns()
    },
  }
}
