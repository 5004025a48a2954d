import { type Counter, createCounter } from '@tollgate/operations'

/** A difference between a served page and the build. */
export interface Difference {
  /** A path of the gateway, without the query. */
  readonly path: string
  /** `body`, `status`, or the name of a header. */
  readonly what: string
}

/** The result of the last check of the payment pages. */
export interface PageCheck {
  readonly atMs: number
  readonly outcome: 'same' | 'changed' | 'unreachable'
  /** Bounded by the number of pages and their headers. */
  readonly differences: readonly Difference[]
}

/** The integrity of the payment pages since the start (PCI DSS 6.4.3, 11.6.1). */
export interface PageIntegrity {
  /** undefined before the first check. */
  lastCheck: PageCheck | undefined
  /** The checks, by outcome. */
  readonly checks: Counter
  /** The reports of browsers, by page and directive. */
  readonly violations: Counter
}

export const createPageIntegrity = (): PageIntegrity => ({
  lastCheck: undefined,
  checks: createCounter(),
  violations: createCounter(),
})
