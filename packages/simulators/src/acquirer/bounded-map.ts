/**
 * A map with a bound: when a new key exceeds it, the oldest key is dropped.
 *
 * A map keeps the places of deleted keys for a while, and `keys()` steps over them. So the first key is not looked up
 * anew for each drop, which would take longer than the rest of a message: one iterator remains at the oldest key.
 */
export class BoundedMap<K, V> extends Map<K, V> {
  readonly #max: number
  readonly #onDrop: (value: V) => void
  #entries: Iterator<[K, V], undefined> | undefined

  /** @param onDrop called with the value of a dropped key */
  constructor(max: number, onDrop: (value: V) => void = () => undefined) {
    super()
    this.#max = max
    this.#onDrop = onDrop
  }

  override set(key: K, value: V): this {
    super.set(key, value)
    if (this.size > this.#max) this.#dropOldest()
    return this
  }

  override delete(key: K): boolean {
    // A kept iterator would keep the table of the map's entries at the time of its last step, with deleted ones.
    if (this.size <= this.#max) this.#entries = undefined
    return super.delete(key)
  }

  #dropOldest(): void {
    this.#entries ??= this.entries()
    const { value: entry } = this.#entries.next()
    if (entry === undefined) return
    this.delete(entry[0])
    this.#onDrop(entry[1])
  }
}
