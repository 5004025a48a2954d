/** Whether the process is ready for requests: false while it drains, although it still answers them. */
export interface Readiness {
  ready: boolean
}
