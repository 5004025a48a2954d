/** What waits for others: for each of its keys it stands in line behind those that came before it. */
export interface InLine<Each> {
  readonly keys: ReadonlySet<string>
  /** How many stand directly before it. */
  ahead: number
  /** Who stands directly behind it. */
  readonly behind: Each[]
}

/** A line for each key, so that of two units that share one the later goes when the earlier has its outcome. */
export interface Lines<Each> {
  /** @returns whether nobody stands before it */
  readonly join: (each: Each) => boolean
  /** @returns those before whom nobody stands any more */
  readonly leave: (each: Each) => Each[]
}

export function lines<Each extends InLine<Each>>(): Lines<Each> {
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
