/**
 * Scans JSON before it is parsed for deep nesting and for duplicate names, which parsing hides: two parsers may use
 * different values of a duplicate name. The parser finds other errors.
 *
 * @param depthMax levels of objects and lists
 * @returns the first duplicate name of an object
 */
export function scanJson(json: string, depthMax: number): { readonly tooDeep: boolean; readonly duplicate?: string } {
  /** Names in each open object; undefined for an open list. */
  const open: (Set<string> | undefined)[] = []
  for (let at = 0; at < json.length; at++) {
    const character = json[at]
    if (character === '{' || character === '[') {
      if (open.length === depthMax) return { tooDeep: true }
      open.push(character === '{' ? new Set() : undefined)
    } else if (character === '}' || character === ']') {
      open.pop()
    } else if (character === '"') {
      const end = endOfString(json, at)
      const names = open.at(-1)
      if (names && isName(json, end)) {
        const name = unescaped(json.slice(at, end))
        if (names.has(name)) return { tooDeep: false, duplicate: name }
        names.add(name)
      }
      at = end - 1
    }
  }
  return { tooDeep: false }
}

/** The value of JSON without duplicate names, of at most `depthMax` levels; undefined for anything else. */
export function parseStrictJson(json: string, depthMax: number): unknown {
  const { tooDeep, duplicate } = scanJson(json, depthMax)
  return tooDeep || duplicate !== undefined ? undefined : parseJson(json)
}

/** The value of JSON; undefined for anything else. */
export function parseJson(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

/** The position after the closing quote, or the end of the text. */
function endOfString(json: string, start: number): number {
  for (let at = start + 1; at < json.length; at++) {
    if (json[at] === '\\') at += 1
    else if (json[at] === '"') return at + 1
  }
  return json.length
}

const AFTER_NAME = /[ \t\r\n]*:/y

function isName(json: string, end: number): boolean {
  AFTER_NAME.lastIndex = end
  return AFTER_NAME.test(json)
}

/** `"\u0061"` is the same name as `"a"`. */
function unescaped(literal: string): string {
  if (!literal.includes('\\')) return literal.slice(1, -1)
  try {
    const name: unknown = JSON.parse(literal)
    return typeof name === 'string' ? name : literal
  } catch {
    return literal
  }
}
