/** delivered: the endpoint has it. gone: it wants nothing any more. failed: it is tried again. */
export type Verdict = 'delivered' | 'gone' | 'failed'

/**
 * What the HTTP status of an endpoint's answer means. A redirect is a failure: what was meant for one address is told
 * to no other.
 */
export function verdictOf(httpStatus: number): Verdict {
  if (httpStatus === 410) return 'gone'
  return httpStatus >= 200 && httpStatus < 300 ? 'delivered' : 'failed'
}
