import { limits } from '../limits.ts'

/** The three forms of an HTTP date: Sun, 06 Nov 1994 … GMT; Sunday, 06-Nov-94 … GMT; Sun Nov  6 … 1994. */
const HTTP_DATE =
  /^[A-Z][a-z]{2,8}(?:, \d\d[ -][A-Z][a-z]{2}[ -]\d{2,4}| [A-Z][a-z]{2} [ \d]\d) \d\d:\d\d:\d\d (?:GMT|\d{4})$/

/**
 * Parses the header Retry-After: seconds or an HTTP date (RFC 9110, section 10.2.3).
 *
 * @param text the received value; any other form is ignored
 * @returns milliseconds, from 0 to `limits.outgoing.retryAfterMsMax`; undefined if the value is ignored
 */
export function retryAfterMs(text: unknown, nowMs: number): number | undefined {
  if (typeof text !== 'string') return undefined
  const delayMs = /^\d{1,15}$/.test(text) ? Number(text) * 1000 : delayUntilMs(text, nowMs)
  return delayMs === undefined ? undefined : Math.min(Math.max(delayMs, 0), limits.outgoing.retryAfterMsMax)
}

function delayUntilMs(text: string, nowMs: number): number | undefined {
  if (!HTTP_DATE.test(text)) return undefined
  const atMs = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`)
  return Number.isNaN(atMs) ? undefined : atMs - nowMs
}
