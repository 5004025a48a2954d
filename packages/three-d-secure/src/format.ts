/** Formats of fields in the message tables. */
import type { Secret } from '@tollgate/contract'
import type { Fields, FormatOf, Shape, Table } from './field.ts'
import type { ProtocolVersion } from './versions.ts'

export const text = (charsMin: number, charsMax: number): FormatOf<string> => ({ kind: 'text', charsMin, charsMax })
export const url = (charsMax: number): FormatOf<string> => ({ kind: 'url', charsMax })
export const flag: FormatOf<boolean> = { kind: 'boolean' }
export const cardNumber: FormatOf<Secret> = { kind: 'cardNumber' }
export const json = (charsMax: number): FormatOf<Fields> => ({ kind: 'json', charsMax })
export const pattern = (source: RegExp): FormatOf<string> => ({ kind: 'pattern', source })
export const digits = (min: number, max: number): FormatOf<string> => pattern(new RegExp(`^[0-9]{${min},${max}}$`))
export const object = <T extends Table>(fields: T): FormatOf<Shape<T>> => ({ kind: 'object', fields })
export const list = <Value>(item: FormatOf<Value>, itemsMax: number): FormatOf<readonly Value[]> => ({
  kind: 'list',
  item,
  itemsMax,
})

export const codes = <const Code extends string>(...listed: readonly Code[]): FormatOf<Code> => ({
  kind: 'codes',
  codes: listed,
  reserved: false,
})

/** Codes with a range for directory servers, 80 to 99. */
export const extensibleCodes = (...listed: readonly string[]): FormatOf<string> => ({
  kind: 'codes',
  codes: listed,
  reserved: true,
})

export const byVersion = <Value>(versions: Readonly<Record<ProtocolVersion, FormatOf<Value>>>): FormatOf<Value> => ({
  kind: 'versions',
  versions,
})

/** The canonical form (RFC 4122). */
export const UUID = /^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/
export const uuid = pattern(UUID)

const MONTH = '(0[1-9]|1[0-2])'
const DAY = '(0[1-9]|[12][0-9]|3[01])'
const TIME = '([01][0-9]|2[0-3])[0-5][0-9]'

/** YYMM. */
export const month = pattern(new RegExp(`^[0-9]{2}${MONTH}$`))
/** YYYYMMDD. */
export const day = pattern(new RegExp(`^[0-9]{4}${MONTH}${DAY}$`))
/** YYYYMMDDHHMM. */
export const minute = pattern(new RegExp(`^[0-9]{4}${MONTH}${DAY}${TIME}$`))
/** YYYYMMDDHHMMSS. */
export const second = pattern(new RegExp(`^[0-9]{4}${MONTH}${DAY}${TIME}[0-5][0-9]$`))
