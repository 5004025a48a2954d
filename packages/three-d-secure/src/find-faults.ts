import { Secret } from '@tollgate/contract'
import { type Field, type FieldFault, type Fields, type Format, isFields, type Scope, type Table } from './field.ts'
import { isAtLeast } from './versions.ts'
import { isWebUrl } from './web-url.ts'

/**
 * Validates fields against their table. Fields that are unknown to the version and channel are ignored, as the
 * specification demands. Conditions are evaluated on the whole message, also for fields inside objects.
 */
export function findFaults(table: Table, fields: Fields, scope: Scope, prefix = ''): readonly FieldFault[] {
  return Object.entries(table).flatMap(([name, field]): readonly FieldFault[] => {
    if (!isAvailable(field, scope)) return []
    const value = valueOf(fields, name)
    if (!isMissing(value)) return check(field.format, value, prefix + name, scope)
    return isNeeded(field, scope) ? [{ code: '201', name: prefix + name }] : []
  })
}

/** The value of a field. Only own properties are read, because inherited properties are not fields of the message. */
export const valueOf = (fields: Fields, name: string): unknown =>
  Object.hasOwn(fields, name) ? fields[name] : undefined

/** "the name/value pair is absent, or the value is empty or null" (EMV 3-D Secure, annex A.1) */
export const isMissing = (value: unknown): boolean => value === undefined || value === null || value === ''

/** Whether a field exists in the version and channel of a message; if the channel is unknown, in the version. */
export const isAvailable = ({ availability }: Field, { version, deviceChannel }: Scope): boolean =>
  (availability.since === undefined || isAtLeast(version, availability.since)) &&
  (availability.channels === undefined || deviceChannel === undefined || availability.channels.includes(deviceChannel))

/** Without a known channel, fields of only some channels are optional. */
const isNeeded = ({ availability, needed }: Field, scope: Scope): boolean =>
  (availability.channels === undefined || scope.deviceChannel !== undefined) && needed(scope)

/** Faults of a value that was read, or is to be written. */
function check(format: Format, value: unknown, name: string, scope: Scope): readonly FieldFault[] {
  switch (format.kind) {
    case 'object':
      return isFields(value) ? findFaults(format.fields, value, scope, `${name}.`) : invalid(name)
    case 'list': {
      if (!Array.isArray(value) || value.length === 0 || value.length > format.itemsMax) return invalid(name)
      const items: readonly unknown[] = value
      return items.flatMap((item) => check(format.item, item, name, scope))
    }
    case 'versions':
      return check(format.versions[scope.version], value, name, scope)
    case 'text':
    case 'pattern':
    case 'codes':
    case 'url':
    case 'boolean':
    case 'cardNumber':
    case 'json':
      return accepts(format, value) ? [] : invalid(name)
  }
}

const invalid = (name: string): readonly FieldFault[] => [{ code: '203', name }]

type Leaf = Exclude<Format, { readonly kind: 'object' | 'list' | 'versions' }>

function accepts(format: Leaf, value: unknown): boolean {
  switch (format.kind) {
    case 'boolean':
      return typeof value === 'boolean'
    case 'cardNumber':
      return value instanceof Secret ? value.use(isCardNumber) : typeof value === 'string' && CARD_NUMBER.test(value)
    case 'json':
      return isFields(value) && JSON.stringify(value).length <= format.charsMax
    case 'text':
      return typeof value === 'string' && isText(value, format.charsMin, format.charsMax)
    case 'pattern':
      return typeof value === 'string' && format.source.test(value)
    case 'codes':
      return typeof value === 'string' && (format.codes.includes(value) || (format.reserved && RESERVED.test(value)))
    case 'url':
      return typeof value === 'string' && value.length <= format.charsMax && isWebUrl(value)
  }
}

const CARD_NUMBER = /^[0-9]{13,19}$/
/** The same check for the bytes of a `Secret`. A string of the digits could not be wiped. */
const isCardNumber = (bytes: Uint8Array): boolean =>
  bytes.length >= 13 && bytes.length <= 19 && bytes.every((byte) => byte >= 0x30 && byte <= 0x39)

const RESERVED = /^[89][0-9]$/

function isText(value: string, charsMin: number, charsMax: number): boolean {
  // A character takes at most two UTF-16 code units, so a longer text is refused without counting its characters.
  if (value.length < charsMin || value.length > 2 * charsMax) return false
  let chars = 0
  for (const _ of value) chars += 1
  return chars >= charsMin && chars <= charsMax
}
