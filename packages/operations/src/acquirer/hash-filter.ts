/** A filter of hashes: it may contain a hash that was not added, and never lacks one that was. */
export interface HashFilter {
  /** @param hash at least 32 hexadecimal digits of a hash, which are as good as random */
  add(hash: string): void
  mayContain(hash: string): boolean
}

/** Positions of a hash: four of them are almost optimal up to a tenth of the bits. */
const POSITIONS = 4
const DIGITS = 8

/**
 * Creates an empty Bloom filter. Its positions are digits of the hash itself.
 *
 * @param bits a power of two, up to 2 ** 32
 */
export function createHashFilter(bits: number): HashFilter {
  const bytes = new Uint8Array(bits / 8)
  const positionOf = (hash: string, index: number): number =>
    Number.parseInt(hash.slice(index * DIGITS, (index + 1) * DIGITS), 16) % bits
  const bitOf = (position: number): number => 1 << (position % 8)
  return {
    add(hash) {
      for (let index = 0; index < POSITIONS; index += 1) {
        const position = positionOf(hash, index)
        bytes[Math.floor(position / 8)] = (bytes[Math.floor(position / 8)] ?? 0) | bitOf(position)
      }
    },
    mayContain(hash) {
      for (let index = 0; index < POSITIONS; index += 1) {
        const position = positionOf(hash, index)
        if (((bytes[Math.floor(position / 8)] ?? 0) & bitOf(position)) === 0) return false
      }
      return true
    },
  }
}
