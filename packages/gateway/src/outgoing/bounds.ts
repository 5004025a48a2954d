import type { limits } from '../limits.ts'

/** The bounds of `limits.outgoing`, or smaller ones for tests. */
export type Bounds = Readonly<Record<keyof typeof limits.outgoing, number>>
