/** Whether the process takes new work: false while it drains, even as it still answers some. */
export interface Readiness {
  ready: boolean
}
