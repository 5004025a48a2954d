import { createHash } from 'node:crypto'

const DIGITS = 32

/** The id of something that exists once for the given facts, such as a payout for a request: 32 hexadecimal digits. */
export const derivedId = (...facts: readonly (string | number)[]): string =>
  createHash('sha256').update(JSON.stringify(facts)).digest('hex').slice(0, DIGITS)
