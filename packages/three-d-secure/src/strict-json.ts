/**
 * Scans JSON for deep nesting and for duplicate names, before the JSON is parsed: parsers accept duplicate names, and
 * two parsers may use different values of a duplicate name. The parser detects all other errors.
 *
 * @param depthMax levels of objects and lists
 * @returns whether the nesting is deeper than `depthMax`, and the first name that is duplicate within its object
 */
export function scanJson(json: string, depthMax: number): { readonly isTooDeep: boolean; readonly duplicate?: string } {
  /** The names in each open object; undefined for an open list. */
  const openLevels: (Set<string> | undefined)[] = []
  for (let position = 0; position < json.length; position++) {
    const character = json[position]
    if (character === '{' || character === '[') {
      if (openLevels.length === depthMax) return { isTooDeep: true }
      openLevels.push(character === '{' ? new Set() : undefined)
    } else if (character === '}' || character === ']') {
      openLevels.pop()
    } else if (character === '"') {
      const end = endOfString(json, position)
      const names = openLevels.at(-1)
      if (names && isName(json, end)) {
        const name = unescapeName(json.slice(position, end))
        if (names.has(name)) return { isTooDeep: false, duplicate: name }
        names.add(name)
      }
      position = end - 1
    }
  }
  return { isTooDeep: false }
}

/** The value of JSON without duplicate names, of at most `depthMax` levels; undefined for other texts. */
export function parseStrictJson(json: string, depthMax: number): unknown {
  const { isTooDeep, duplicate } = scanJson(json, depthMax)
  return isTooDeep || duplicate !== undefined ? undefined : parseJson(json)
}

/** The value of JSON; undefined for other texts. */
export function parseJson(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

/** The position after the closing quote, or the end of the text. */
function endOfString(json: string, start: number): number {
  for (let position = start + 1; position < json.length; position++) {
    if (json[position] === '\\') position += 1
    else if (json[position] === '"') return position + 1
  }
  return json.length
}

const AFTER_NAME = /[ \t\r\n]*:/y

function isName(json: string, end: number): boolean {
  AFTER_NAME.lastIndex = end
  return AFTER_NAME.test(json)
}

/** The name without escapes: `"\u0061"` is the same name as `"a"`. */
function unescapeName(literal: string): string {
  if (!literal.includes('\\')) return literal.slice(1, -1)
  try {
    const name: unknown = JSON.parse(literal)
    return typeof name === 'string' ? name : literal
  } catch {
    return literal
  }
}
