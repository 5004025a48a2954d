import type { Fields, Message } from './field.ts'

/** Erases the secret values of a message. */
export const wipeMessage = <F extends Fields>({ fields }: Message<F>): void =>
  wipeValues(Object.values<unknown>(fields))

/** Erases the secret values among values. */
export function wipeValues(values: readonly unknown[]): void {
  for (const value of values) if (value instanceof Uint8Array) value.fill(0)
}
