import type { Fields, Message } from './field.ts'

/** Erases the secret values of a message. */
export function wipeMessage<F extends Fields>({ fields }: Message<F>): void {
  for (const value of Object.values<unknown>(fields)) if (value instanceof Uint8Array) value.fill(0)
}
