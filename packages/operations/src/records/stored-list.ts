import type { TProperties } from 'typebox'

/**
 * Objects that are stored as lists of the values of their members, in the order of a table of columns. The JSON of such
 * a list is half as long as that of the object. An absent member is null, and at the end of the list it is left out.
 */
export interface StoredList<Name extends string> {
  readonly valuesOf: (members: { readonly [Member in Name]?: unknown }) => unknown[]
  /** The members of a list that was read, in a shape that must be checked; undefined if it is no such list. */
  readonly membersOf: (values: unknown) => Partial<Record<Name, unknown>> | undefined
}

/** @param columns the shapes of the members by name. Columns are added at the end only: older lists are shorter. */
export function storedList<Columns extends TProperties>(columns: Columns): StoredList<Extract<keyof Columns, string>> {
  const names = namesOf(columns)
  return {
    valuesOf(members) {
      const values: unknown[] = []
      for (const name of names) values.push(members[name])
      while (values.length > 0 && values.at(-1) === undefined) values.pop()
      return values
    },
    membersOf(values) {
      if (!Array.isArray(values) || values.length > names.length) return undefined
      const members: Partial<Record<Extract<keyof Columns, string>, unknown>> = {}
      let place = 0
      for (const name of names) {
        // All objects have all members, in one order: so they have one hidden class.
        members[name] = place < values.length ? (values[place] ?? undefined) : undefined
        place += 1
      }
      return members
    },
  }
}

function namesOf<Table extends object>(table: Table): readonly Extract<keyof Table, string>[] {
  const names: Extract<keyof Table, string>[] = []
  for (const name in table) if (Object.hasOwn(table, name)) names.push(name)
  return names
}
