/**
 * Changes bytes of an encoded message in place, at places that follow from a seed. A changed byte gets another value.
 *
 * @param count the number of changes; two of them may be at the same place
 */
export function garble(message: Uint8Array, count: number, seed: number): void {
  let state = seed >>> 0
  for (let i = 0; i < Math.min(count, message.length); i++) {
    // A linear congruential generator (Numerical Recipes). Its high bits select the place.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    const at = Math.floor((state / 2 ** 32) * message.length)
    message[at] = (message[at] ?? 0) ^ 0xff
  }
}
