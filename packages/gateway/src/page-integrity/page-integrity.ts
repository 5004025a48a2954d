import { type Counter, createCounter } from '@tollgate/operations'

/** What is served otherwise than the build has made it. */
export interface Difference {
  /** A path of ours, without its query. */
  readonly path: string
  /** `body`, `status`, or the name of a header. */
  readonly what: string
}

/** What the last look at our own payment pages has come to. */
export interface PageCheck {
  readonly atMs: number
  readonly outcome: 'same' | 'changed' | 'unreachable'
  /** Bounded by the pages that there are. */
  readonly differences: readonly Difference[]
}

/** What is known of the integrity of the payment pages (PCI DSS 6.4.3, 11.6.1), since the start. */
export interface PageIntegrity {
  /** undefined: nobody has looked yet. */
  last: PageCheck | undefined
  /** outcome */
  readonly checks: Counter
  /** What browsers have reported, by page and directive. */
  readonly violations: Counter
}

export const createPageIntegrity = (): PageIntegrity => ({
  last: undefined,
  checks: createCounter(),
  violations: createCounter(),
})
