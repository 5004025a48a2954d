import { limits } from '../limits.ts'

/** The values from which the name of a delivered file is made. */
export interface FileNameValues {
  readonly entityId: string
  /** yyyy-MM-dd. */
  readonly day: string
}

/** The fields of a pattern, by their names in braces. */
const fields: Readonly<Record<string, (values: FileNameValues) => string>> = {
  entityId: ({ entityId }) => entityId,
  day: ({ day }) => day,
  compactDay: ({ day }) => day.replaceAll('-', ''),
}

/** The names of the fields that a pattern may have. */
const fileNameFields: readonly string[] = Object.keys(fields)

/** The patterns of targets that set none, by their purposes. */
export const defaultFileNames = {
  reconciliationRecord: 'reconciliation-{entityId}-{day}.csv',
  settlementReport: 'settlements-{entityId}-{day}.csv',
} as const

const FIELD = /\{([^{}]*)\}/g
const NAME = /^[A-Za-z0-9_][A-Za-z0-9._-]*$/
const LONGEST: FileNameValues = { entityId: '0'.repeat(32), day: '2000-01-01' }

/**
 * The fault of a pattern, in words; undefined: it is valid. Each day needs a name of its own, so that no file replaces
 * another one.
 */
export function fileNameFault(pattern: string): string | undefined {
  const names = Array.from(pattern.matchAll(FIELD), ([, name = '']) => name)
  if (names.some((name) => !Object.hasOwn(fields, name)))
    return `may contain only the fields ${fileNameFields.map((name) => `{${name}}`).join(', ')}`
  if (!names.includes('day') && !names.includes('compactDay')) return 'must contain {day} or {compactDay}'
  const longest = fileNameOf(pattern, LONGEST)
  if (longest.length > limits.fileNameCharsMax)
    return `must make names of at most ${limits.fileNameCharsMax} characters`
  if (!NAME.test(longest) || longest.endsWith('.part'))
    return 'must make names of letters, digits, `.`, `_`, `-` that begin with no `.` or `-` and end not in `.part`'
  return undefined
}

/** The name of a file, by a valid pattern. */
export const fileNameOf = (pattern: string, values: FileNameValues): string =>
  pattern.replaceAll(FIELD, (_, name: string) => fields[name]?.(values) ?? '')
