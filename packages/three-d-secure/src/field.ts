import type { ProtocolVersion } from './versions.ts'

/** 01 an app with the 3DS SDK, 02 a browser, 03 the merchant without the cardholder (3RI). */
export type DeviceChannel = '01' | '02' | '03'
/** 01 authentication for a payment, 02 without a payment. */
export type MessageCategory = '01' | '02'

/** Names and values of a message. */
export type Fields = Readonly<Record<string, unknown>>

/** Whether a value is a JSON object. */
export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Input of conditions: the known facts about the transaction, and the message. */
export interface Scope {
  readonly version: ProtocolVersion
  readonly deviceChannel: DeviceChannel | undefined
  readonly messageCategory: MessageCategory | undefined
  readonly fields: Fields
}

/** A fault of one field. 201: the required field is missing. 203: the field is invalid. */
export interface FieldFault {
  readonly code: '201' | '203'
  /** The path of the field; `mobilePhone.cc` inside of an object. */
  readonly name: string
}

/** A condition on a message and its transaction. */
export type Condition = (scope: Scope) => boolean

/** The channels of a field and its first version; by default all. In other messages the field is ignored as unknown. */
export interface Availability {
  readonly channels?: readonly DeviceChannel[]
  readonly since?: ProtocolVersion
}

/** A format as data: one interpreter validates values by it, and tests generate values from it. */
export type Format =
  /** A text of `charsMin` to `charsMax` characters (code points). */
  | { readonly kind: 'text'; readonly charsMin: number; readonly charsMax: number }
  /** A text that matches an anchored regular expression, which is bounded and takes linear time. */
  | { readonly kind: 'pattern'; readonly source: RegExp }
  /** One of the listed codes; with `reserved`, also 80 to 99, which directory servers define. */
  | { readonly kind: 'codes'; readonly codes: readonly string[]; readonly reserved: boolean }
  /** An absolute URL for which `isWebUrl` returns true. */
  | { readonly kind: 'url'; readonly charsMax: number }
  | { readonly kind: 'boolean' }
  /** A string on the wire, a `Secret` in the program. */
  | { readonly kind: 'cardNumber' }
  /** An object of any content, such as the data of an extension, or a key. */
  | { readonly kind: 'json'; readonly charsMax: number }
  | { readonly kind: 'object'; readonly fields: Table }
  | { readonly kind: 'list'; readonly item: Format; readonly itemsMax: number }
  /** A format for each version. */
  | { readonly kind: 'versions'; readonly versions: Readonly<Record<ProtocolVersion, Format>> }

/** A format with the type of its values; the property `value` exists only as a type. */
export type FormatOf<Value> = Format & { readonly value?: Value }

/**
 * One row of a message table. `Always`: whether every message of the kind has the field. The property `value` exists
 * only as a type: that of the field's values.
 */
export interface Field<Value = unknown, Always extends boolean = boolean> {
  readonly format: Format
  readonly always: Always
  readonly needed: Condition
  readonly availability: Availability
  readonly value?: Value
}

/** A message, or an object in one: its fields by name. */
export type Table = Readonly<Record<string, Field>>

type ValueOf<F> = F extends Field<infer Value> ? Value : never
/** The names of the fields that every message of a table has. */
type RequiredName<T extends Table> = { [Name in keyof T]: T[Name] extends Field<unknown, true> ? Name : never }[keyof T]

/** The type of a table's messages. */
export type Shape<T extends Table> = {
  readonly [Name in RequiredName<T>]: ValueOf<T[Name]>
} & { readonly [Name in Exclude<keyof T, RequiredName<T>>]?: ValueOf<T[Name]> | undefined }

const inEveryMessage: Condition = () => true
const inNoMessage: Condition = () => false

/** A required field; with `availability`, required only on its channels and since its version. */
export function required<Value>(format: FormatOf<Value>): Field<Value, true>
export function required<Value>(format: FormatOf<Value>, availability: Availability): Field<Value, false>
export function required<Value>(format: FormatOf<Value>, availability: Availability = {}): Field<Value> {
  return { format, always: Object.keys(availability).length === 0, needed: inEveryMessage, availability }
}

/** A field that is required under a condition. */
export const requiredIf = <Value>(
  needed: Condition,
  format: FormatOf<Value>,
  availability: Availability = {},
): Field<Value, false> => ({
  format,
  always: false,
  needed,
  availability,
})

/**
 * An optional field. Conditional fields of the specification are optional here if markets or directory servers
 * define their conditions.
 */
export const optional = <Value>(format: FormatOf<Value>, availability: Availability = {}): Field<Value, false> => ({
  format,
  always: false,
  needed: inNoMessage,
  availability,
})

export const app: Availability = { channels: ['01'] }
export const browser: Availability = { channels: ['02'] }
export const threeRi: Availability = { channels: ['03'] }
/** Channels with a cardholder. */
export const shopper: Availability = { channels: ['01', '02'] }
export const since220: Availability = { since: '2.2.0' }

export const payment: Condition = ({ messageCategory }) => messageCategory === '01'
export const is =
  (name: string, ...values: readonly unknown[]): Condition =>
  ({ fields }) =>
    values.includes(fields[name])
export const has =
  (name: string): Condition =>
  ({ fields }) =>
    fields[name] !== undefined
export const both =
  (left: Condition, right: Condition): Condition =>
  (scope) =>
    left(scope) && right(scope)
export const either =
  (left: Condition, right: Condition): Condition =>
  (scope) =>
    left(scope) || right(scope)
export const before220: Condition = ({ version }) => version === '2.1.0'
