/** A unit that waits for earlier units with the same keys. */
export interface KeyOrdered<Unit> {
  readonly keys: ReadonlySet<string>
  /** The number of this unit's keys for which the preceding unit with the same key has not left yet. */
  ahead: number
  /** The next unit of each key of this one. A unit that is next for several keys is listed once for each of them. */
  readonly behind: Unit[]
}

/** Orders units by their keys: a unit is ready when all earlier units that share a key with it have left. */
interface KeyOrder<Unit> {
  /** @returns whether the unit is ready */
  readonly join: (unit: Unit) => boolean
  /** Removes a ready unit from the order. @returns the units that became ready */
  readonly leave: (unit: Unit) => Unit[]
}

export function keyOrder<Unit extends KeyOrdered<Unit>>(): KeyOrder<Unit> {
  const lastByKey = new Map<string, Unit>()

  function join(unit: Unit): boolean {
    for (const key of unit.keys) {
      const before = lastByKey.get(key)
      if (before) {
        before.behind.push(unit)
        unit.ahead += 1
      }
      lastByKey.set(key, unit)
    }
    return unit.ahead === 0
  }

  function leave(unit: Unit): Unit[] {
    for (const key of unit.keys) if (lastByKey.get(key) === unit) lastByKey.delete(key)
    return unit.behind.filter((next) => {
      next.ahead -= 1
      return next.ahead === 0
    })
  }

  return { join, leave }
}
