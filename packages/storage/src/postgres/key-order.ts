/** A unit that waits for earlier units with the same keys. */
export interface KeyOrdered<Unit> {
  readonly keys: ReadonlySet<string>
  /** The number of keys that another unit, directly before this one, still has. */
  ahead: number
  /** The units directly behind this one, once for each common key. */
  readonly behind: Unit[]
}

/** Orders units by their keys: a unit is ready when all earlier units that share a key with it have an outcome. */
interface KeyOrder<Unit> {
  /** @returns whether the unit is ready */
  readonly join: (unit: Unit) => boolean
  /** @returns the units that became ready */
  readonly leave: (unit: Unit) => Unit[]
}

export function keyOrder<Unit extends KeyOrdered<Unit>>(): KeyOrder<Unit> {
  const last = new Map<string, Unit>()

  function join(unit: Unit): boolean {
    for (const key of unit.keys) {
      const before = last.get(key)
      if (before) {
        before.behind.push(unit)
        unit.ahead += 1
      }
      last.set(key, unit)
    }
    return unit.ahead === 0
  }

  function leave(unit: Unit): Unit[] {
    for (const key of unit.keys) if (last.get(key) === unit) last.delete(key)
    return unit.behind.filter((next) => {
      next.ahead -= 1
      return next.ahead === 0
    })
  }

  return { join, leave }
}
