import { createHash, randomFillSync } from 'node:crypto'
import type { Clock } from './clock.ts'
import { memoizeLast } from './memoize-last.ts'
import { limits } from './limits.ts'

/** Generates the ids of all resources. */
export interface Ids {
  /**
   * 32 hex digits that sort by time of creation: 48 bits of milliseconds, then 80 random bits.
   *
   * @param atMs the time of creation; by default now
   */
  ordered(atMs?: number): string
  /**
   * As `ordered`, and ids of one process also sort within a millisecond, even if the clock goes back: a counter
   * replaces 16 of the random bits.
   */
  sequenced(): string
  /**
   * 32 random hex digits, for ids that must not reveal the time of creation, such as those of registrations. The first
   * is not 0, with which the ids of times until the year 2527 begin: the storage places transactions by their ids.
   */
  random(): string
}

/**
 * @param clock for the time part of ordered ids
 * @param seed makes the random bits reproducible (test environment only); absent: random bits of the operating system
 */
export function createIds(clock: Clock, seed?: string): Ids {
  const draw = seed === undefined ? systemBytes() : seededBytes(seed)
  const timePart = memoizeLast(timePartOf)
  let last = { ms: 0, count: 0 }
  return {
    ordered: (atMs = clock.now()) => timePart(atMs) + draw(10),
    sequenced() {
      const ms = clock.now()
      if (ms > last.ms) last = { ms, count: 0 }
      else last = last.count < 0xffff ? { ms: last.ms, count: last.count + 1 } : { ms: last.ms + 1, count: 0 }
      return timePart(last.ms) + last.count.toString(16).padStart(4, '0') + draw(8)
    },
    random() {
      let id = draw(16)
      while (id.startsWith('0')) id = draw(16)
      return id
    },
  }
}

/** The prefix of the `ordered` and `sequenced` ids of a time; a time before 1970 counts as 1970. */
export const timePartOf = (atMs: number): string => Math.max(0, atMs).toString(16).padStart(12, '0')

/** Hex digits from a pool, because a call of the system's generator would cost more than the rest of an id. */
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
 * The short id of a payment, for phone calls and descriptors: `dddd.dddd.dddd`, derived from the payment's id.
 * @param id ends with at least 12 lower-case hexadecimal digits
 */
export function shortIdOf(id: string): string {
  const { length } = id
  return `${fourDigits(id, length - 12)}.${fourDigits(id, length - 8)}.${fourDigits(id, length - 4)}`
}

/** The texts 00 to 99: two look-ups cost less than the conversion of a number. */
const twoDigits: readonly string[] = Array.from({ length: 100 }, (_, number) => String(number).padStart(2, '0'))

/** Four decimal digits from the four hex digits at `start`, which are read without a text of their own. */
function fourDigits(id: string, start: number): string {
  let bits = 0
  for (let index = start; index < start + 4; index += 1) {
    const code = id.charCodeAt(index)
    bits = bits * 16 + (code < LETTER_A ? code - DIGIT_0 : code - LETTER_A + 10)
  }
  const value = bits % 10_000
  return `${twoDigits[Math.floor(value / 100)]}${twoDigits[value % 100]}`
}

const DIGIT_0 = 0x30
const LETTER_A = 0x61
