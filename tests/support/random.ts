/** A generator whose values depend only on the arguments of `randomOf`. */
export interface Random {
  /** A whole number from 0 to `count - 1`. */
  readonly below: (count: number) => number
  /** true with the given probability. */
  readonly chance: (probability: number) => boolean
  readonly pick: <T>(items: readonly [T, ...T[]] | readonly T[]) => T
}

/** A generator (mulberry32) for one step of a test, which can be replayed without the steps before it. */
export function randomOf(seed: number, step: number): Random {
  let state = (Math.imul(seed, 0x9e3779b1) ^ Math.imul(step + 1, 0x85ebca6b)) >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000
  }
  const below = (count: number) => Math.floor(next() * count)
  return {
    below,
    chance: (probability) => next() < probability,
    pick: (items) => {
      const [item] = items.slice(below(items.length))
      if (item === undefined) throw new Error('cannot pick from an empty list')
      return item
    },
  }
}
