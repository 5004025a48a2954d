const noLists: ReadonlyMap<string, readonly number[]> = new Map()

/**
 * The indexes of each list in the names of parameters, ascending, by the list's name: `cart.items`, or
 * `airline.passengers[0].legs`. A request may omit indexes.
 */
export function listIndexes(names: Iterable<string>): ReadonlyMap<string, readonly number[]> {
  let found: Map<string, Set<number>> | undefined
  for (const name of names) {
    for (let open = name.indexOf('['); open !== -1; open = name.indexOf('[', open + 1)) {
      const index = Number.parseInt(name.slice(open + 1), 10)
      if (Number.isNaN(index)) continue
      const list = name.slice(0, open)
      found ??= new Map()
      const indexes = found.get(list) ?? new Set()
      if (indexes.size === 0) found.set(list, indexes)
      indexes.add(index)
    }
  }
  if (found === undefined) return noLists
  return new Map(Array.from(found, ([list, indexes]) => [list, [...indexes].toSorted((one, other) => one - other)]))
}
