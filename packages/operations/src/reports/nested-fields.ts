type Value = string | readonly Nested[]

/** A member of an object by its dotted name. */
export type Field = readonly [name: string, value: Value]

interface Nested {
  [name: string]: Value | Nested
}

/**
 * The object whose members have dotted names: `settlement.id` is the member `id` of `settlement`.
 *
 * @param fields no name begins with another name and a dot
 */
export function nestedFields(fields: Iterable<Field>): Nested {
  const object: Nested = {}
  for (const [name, value] of fields) {
    const words = name.split('.')
    const last = words.pop() ?? ''
    let parent = object
    for (const word of words) {
      const child = parent[word]
      parent = child !== undefined && isNested(child) ? child : (parent[word] = {})
    }
    parent[last] = value
  }
  return object
}

const isNested = (value: Value | Nested): value is Nested => typeof value === 'object' && !Array.isArray(value)
