/** The state that `/readyz` reports. */
export interface Readiness {
  /** Whether a load balancer may send requests: false while the process drains, although it still answers requests. */
  ready: boolean
}
