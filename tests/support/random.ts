/** A generator whose values depend only on its seed. */
export interface Random {
  /** A whole number from 0 to below `count`. */
  readonly below: (count: number) => number
  readonly chance: (probability: number) => boolean
  readonly pick: <T>(items: readonly [T, ...T[]] | readonly T[]) => T
}

/** A generator for one seed and one step of its use (mulberry32). */
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
