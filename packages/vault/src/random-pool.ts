import { limits } from './limits.ts'

/** Returns `size` new, cryptographically random bytes in a new array. */
export type Random = (size: number) => Uint8Array

/**
 * Requests random bytes in bulk, because one call to the operating system costs as much as a whole seal.
 *
 * Returns a function for the next `size` bytes (at most the pool's size); no byte is returned twice. The caller wipes
 * the bytes after use and must not use them after the next call, because a refill wipes the whole pool.
 */
export function openRandomPool(random: Random): (size: number) => Uint8Array {
  let pool: Uint8Array = new Uint8Array(0)
  let next = 0
  return (size) => {
    if (next + size > pool.length) {
      pool.fill(0)
      pool = random(limits.randomPoolBytes)
      next = 0
    }
    const start = next
    next += size
    return pool.subarray(start, next)
  }
}
