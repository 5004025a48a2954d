/** Links to acquirers. Each is a pure transformation plus a link; the simulator needs no link at all. */
export type * from './port.ts'
