import type { TProperties } from 'typebox'

/**
 * Objects that are stored as lists of the values of their members, in the order of a table of columns. The JSON of such
 * a list is half as long as that of the object. An absent member is null, and at the end of the list it is left out.
 * The members of a list that was read must be checked.
 */
interface StoredList<Name extends string> {
  readonly valuesOf: (members: { readonly [Member in Name]?: unknown }) => unknown[]
  /** An object with the members of a list; undefined if it is no such list. */
  readonly objectOf: (values: unknown) => object | undefined
  /** Like `objectOf`, faster: its members are getters, which read the list. They are not copied with the object. */
  readonly viewOf: (values: unknown) => object | undefined
}

/** @param columns the shapes of the members by name. Columns are added at the end only: older lists are shorter. */
export function storedList<Columns extends TProperties>(columns: Columns): StoredList<Extract<keyof Columns, string>> {
  const names = namesOf(columns)
  const listIn = (values: unknown): readonly unknown[] | undefined =>
    Array.isArray(values) && values.length <= names.length ? values : undefined
  const newView = viewsOf(names)
  return {
    valuesOf(members) {
      const values: unknown[] = []
      for (const name of names) values.push(members[name])
      while (values.length > 0 && values.at(-1) === undefined) values.pop()
      return values
    },
    objectOf(values) {
      const list = listIn(values)
      return list && Object.fromEntries(names.map((name, place) => [name, list[place] ?? undefined]))
    },
    viewOf(values) {
      const list = listIn(values)
      return list && newView(list)
    },
  }
}

function namesOf<Table extends object>(table: Table): readonly Extract<keyof Table, string>[] {
  const names: Extract<keyof Table, string>[] = []
  for (const name in table) if (Object.hasOwn(table, name)) names.push(name)
  return names
}

function viewsOf(names: readonly string[]): (values: readonly unknown[]) => object {
  class View {
    readonly storedValues: readonly unknown[]

    constructor(values: readonly unknown[]) {
      this.storedValues = values
    }
  }
  for (const [place, name] of names.entries()) {
    function get(this: View): unknown {
      return this.storedValues[place] ?? undefined
    }
    Object.defineProperty(View.prototype, name, { get, enumerable: true })
  }
  return (values) => new View(values)
}
