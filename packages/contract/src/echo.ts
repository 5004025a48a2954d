import type { RequestParameters } from './form.ts'
import { rowsOf } from './names.ts'

/** A structure of an answer, ready for JSON.stringify. */
export interface Echo {
  [name: string]: EchoValue
}

type EchoValue = Echo | readonly EchoValue[] | string

/**
 * The structures of a request that answers echo ("The response can also contain the data structures that were
 * sent"), nested: `billing.city` becomes `{ billing: { city } }`, indexes become lists without gaps. Secrets, card data
 * and structures that the service renders itself are omitted, as the tables define.
 *
 * @param answer other structures of the answer, to which the echo is added
 * @param rendered the structure of the paying account, which is not echoed: the answer contains the masked account
 */
export function echoOf(
  { sent, values }: Pick<RequestParameters, 'sent' | 'values'>,
  answer: Echo = {},
  rendered?: string,
): Echo {
  const lists: (readonly [parent: Echo, word: string, items: Echo, name: string])[] = []
  for (const { name, path, row, structure } of sent) {
    const value = row.echo && structure !== rendered ? values.get(name) : undefined
    if (value === undefined) continue
    const last = path.length - 1
    let node = answer
    for (let i = 0; i < last; i++) {
      const word = String(path[i])
      let child = node[word]
      if (!isStructure(child)) {
        // Words are from the tables, but the key of a map may be any text, such as __proto__.
        child = row.key === undefined ? {} : createWithoutPrototype()
        node[word] = child
        if (typeof path[i + 1] === 'number') lists.push([node, word, child, path.slice(0, i + 1).join('.')])
      }
      node = child
    }
    node[String(path[last])] = value
  }
  // Items are properties named by their index, which objects list in ascending order.
  for (const [parent, word, items, name] of lists) {
    const defaults = itemDefaults.get(name)
    const entries = Object.values(items)
    parent[word] = defaults ? entries.map((item) => (isStructure(item) ? { ...defaults, ...item } : item)) : entries
  }
  return answer
}

/** The values of absent fields of list items ("quantityUnit: default COUNT"), by the name of the list. */
const itemDefaults: ReadonlyMap<string, Echo> = readItemDefaults()

function readItemDefaults(): ReadonlyMap<string, Echo> {
  const defaults = new Map<string, Echo>()
  for (const { name, echoDefault } of rowsOf('payment')) {
    const [list = '', field = ''] = name.split('[n].')
    if (echoDefault !== undefined) defaults.set(list, { ...defaults.get(list), [field]: echoDefault })
  }
  return defaults
}

/** An earlier echo with the values of a later one, which take precedence. */
export function mergedEcho(earlier: Echo, later: Echo): Echo {
  const merged = new Map(Object.entries(earlier))
  for (const [name, value] of Object.entries(later)) {
    const former = merged.get(name)
    merged.set(name, isStructure(former) && isStructure(value) ? mergedEcho(former, value) : value)
  }
  return Object.fromEntries(merged)
}

const isStructure = (value: EchoValue | undefined): value is Echo => typeof value === 'object' && !Array.isArray(value)

function createWithoutPrototype(): Echo {
  const empty: Echo = Object.create(null)
  return empty
}
