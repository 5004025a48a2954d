import { createHash, randomFillSync } from 'node:crypto'
import type { Clock } from './clock.ts'
import { lastOf } from './memoize-last.ts'
import { limits } from './limits.ts'

/** Draws every identifier that the gateway hands out. */
export interface Ids {
  /**
   * 32 hex digits that sort by time of creation: 48 bits of milliseconds, then 80 random bits.
   *
   * @param atMs the moment that counts as such, where it is not this one
   */
  ordered(atMs?: number): string
  /**
   * As `ordered`, and those of one process also sort within a millisecond: 16 of the random bits count, and the clock
   * may go back.
   */
  sequenced(): string
  /** 32 random hex digits, for ids that must reveal nothing, as those of registrations. */
  random(): string
}

/**
 * @param clock gives the time part of ordered ids
 * @param seed fixes the random bits, so that a run can be repeated (test environment only); absent: the system's
 */
export function createIds(clock: Clock, seed?: string): Ids {
  const draw = seed === undefined ? systemBytes() : seededBytes(seed)
  const timePart = lastOf(timePartOf)
  let last = { ms: 0, count: 0 }
  return {
    ordered: (atMs = clock.now()) => timePart(atMs) + draw(10),
    sequenced() {
      const ms = clock.now()
      if (ms > last.ms) last = { ms, count: 0 }
      else last = last.count < 0xffff ? { ms: last.ms, count: last.count + 1 } : { ms: last.ms + 1, count: 0 }
      return timePart(last.ms) + last.count.toString(16).padStart(4, '0') + draw(8)
    },
    random: () => draw(16),
  }
}

/** The prefix of the `ordered` and `sequenced` ids of a time; a time before 1970 counts as 1970. */
export const timePartOf = (atMs: number): string => Math.max(0, atMs).toString(16).padStart(12, '0')

/** Hex digits cut from a long text, because asking the system's generator for each id would cost more than the id. */
function systemBytes(): (bytes: number) => string {
  const pool = Buffer.allocUnsafeSlow(limits.randomPoolBytes)
  let digits = ''
  let used = 0
  return (bytes) => {
    if (used + bytes * 2 > digits.length) {
      digits = randomFillSync(pool).toString('hex')
      used = 0
    }
    used += bytes * 2
    return digits.slice(used - bytes * 2, used)
  }
}

function seededBytes(seed: string): (bytes: number) => string {
  let count = 0
  return (bytes) => {
    count += 1
    return createHash('sha256')
      .update(`${seed}|${count}`)
      .digest('hex')
      .slice(0, bytes * 2)
  }
}

/**
 * The short id that people read out and descriptors begin with: `dddd.dddd.dddd`, derived from a payment's id.
 */
export function shortIdOf(id: string): string {
  const last = Number.parseInt(id.slice(-12), 16)
  return `${fourDigits(last / 0x1_0000_0000)}.${fourDigits(last / 0x1_0000)}.${fourDigits(last)}`
}

/** Of the lowest 16 bits. */
const fourDigits = (number: number): string => String(10_000 + ((number & 0xffff) % 10_000)).slice(1)
