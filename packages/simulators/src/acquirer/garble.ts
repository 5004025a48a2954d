import { copyOf } from './secret-bytes.ts'

/**
 * Changes bytes of an encoded message, at places that follow from a seed. Each changed byte gets another value.
 *
 * @param count the number of changes; two of them may be at the same place
 */
export function garble(message: Uint8Array, count: number, seed: number): Uint8Array {
  const garbled = copyOf(message)
  let state = seed >>> 0
  for (let i = 0; i < Math.min(count, message.length); i++) {
    // A linear congruential generator (Numerical Recipes). Its high bits select the place.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    const at = Math.floor((state / 2 ** 32) * message.length)
    garbled[at] = (garbled[at] ?? 0) ^ 0xff
  }
  return garbled
}
