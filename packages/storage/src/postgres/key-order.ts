/** A unit, ordered by its keys. */
export interface InOrder<Each> {
  readonly keys: ReadonlySet<string>
  /** The number of units directly before it. */
  ahead: number
  /** The units directly behind it. */
  readonly behind: Each[]
}

/** An order of units by key: a unit is ready when all earlier units that share a key with it have an outcome. */
interface KeyOrder<Each> {
  /** @returns whether no unit is before it */
  readonly join: (each: Each) => boolean
  /** @returns the units that are ready now */
  readonly leave: (each: Each) => Each[]
}

export function keyOrder<Each extends InOrder<Each>>(): KeyOrder<Each> {
  const last = new Map<string, Each>()

  function join(each: Each): boolean {
    for (const key of each.keys) {
      const before = last.get(key)
      if (before) {
        before.behind.push(each)
        each.ahead += 1
      }
      last.set(key, each)
    }
    return each.ahead === 0
  }

  function leave(each: Each): Each[] {
    for (const key of each.keys) if (last.get(key) === each) last.delete(key)
    return each.behind.filter((other) => {
      other.ahead -= 1
      return other.ahead === 0
    })
  }

  return { join, leave }
}
