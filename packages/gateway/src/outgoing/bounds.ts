import type { limits } from '../limits.ts'

/** The bounds of `limits.outgoing`, or smaller ones that a test need not wait for. */
export type Bounds = Readonly<Record<keyof typeof limits.outgoing, number>>
