import type { ProtocolVersion } from './versions.ts'

/** 01 an app with the 3DS SDK, 02 a browser, 03 the merchant alone (3RI). */
export type DeviceChannel = '01' | '02' | '03'
/** 01 authentication for a payment, 02 for anything else. */
export type MessageCategory = '01' | '02'

/** Names and values as they travel. */
export type Fields = Readonly<Record<string, unknown>>

/** An object of JSON, and not a list. */
export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What a table is read for: the transaction that a message belongs to, as far as it is known, and the message. */
export interface Scope {
  readonly version: ProtocolVersion
  readonly deviceChannel: DeviceChannel | undefined
  readonly messageCategory: MessageCategory | undefined
  readonly fields: Fields
}

/** 201: a field that must be there is not. 203: it holds what it must not hold. */
export interface Finding {
  readonly code: '201' | '203'
  /** `mobilePhone.cc` inside of an object. */
  readonly name: string
}

/** Something that can be told from a message and its transaction. */
export type Condition = (scope: Scope) => boolean

/** Where a field exists at all; elsewhere it is ignored as an unknown one. */
export interface Where {
  readonly channels?: readonly DeviceChannel[]
  readonly since?: ProtocolVersion
}

/** A kind of value, as data: one interpreter checks it, and tests make values from it. */
export type Format =
  /** Text of so many characters (code points). */
  | { readonly kind: 'text'; readonly charsMin: number; readonly charsMax: number }
  /** What an anchored expression matches. Every expression is bounded and matches in linear time. */
  | { readonly kind: 'pattern'; readonly source: RegExp }
  /** One of the listed codes; with `reserved`, also 80 to 99, whose meaning each directory server gives. */
  | { readonly kind: 'codes'; readonly codes: readonly string[]; readonly reserved: boolean }
  /** An absolute address on the web. */
  | { readonly kind: 'url'; readonly charsMax: number }
  | { readonly kind: 'boolean' }
  /** A string on the wire, and never one here. */
  | { readonly kind: 'cardNumber' }
  /** An object of which nothing is known: what an extension or a key holds. */
  | { readonly kind: 'json'; readonly charsMax: number }
  | { readonly kind: 'object'; readonly fields: Table }
  | { readonly kind: 'list'; readonly of: Format; readonly itemsMax: number }
  /** What differs from version to version. */
  | { readonly kind: 'versions'; readonly versions: Readonly<Record<ProtocolVersion, Format>> }

/** A format, and in the property that is never there, the type of its values in a message. */
export type FormatOf<Value> = Format & { readonly value?: Value }

/**
 * One row of a message table. `Always`: whether every message of the kind has it, whatever the transaction is. The
 * property `value` is never there: it carries the type of what a message holds.
 */
export interface Field<Held = unknown, Always extends boolean = boolean> {
  readonly format: Format
  readonly always: Always
  readonly needed: Condition
  readonly where: Where
  readonly value?: Held
}

/** A message, or an object in one: its fields by name. */
export type Table = Readonly<Record<string, Field>>

type HeldBy<F> = F extends Field<infer Held> ? Held : never
type Required<T extends Table> = { [Name in keyof T]: T[Name] extends Field<unknown, true> ? Name : never }[keyof T]

/** What a table describes. */
export type Shape<T extends Table> = {
  readonly [Name in Required<T>]: HeldBy<T[Name]>
} & { readonly [Name in Exclude<keyof T, Required<T>>]?: HeldBy<T[Name]> | undefined }

const ever: Condition = () => true
const never: Condition = () => false

/** A field that every message has, or, with `where`, every message of those transactions. */
export function required<Held>(format: FormatOf<Held>): Field<Held, true>
export function required<Held>(format: FormatOf<Held>, where: Where): Field<Held, false>
export function required<Held>(format: FormatOf<Held>, where: Where = {}): Field<Held> {
  return { format, always: Object.keys(where).length === 0, needed: ever, where }
}

/** A field that must be there under a condition. */
export const requiredIf = <Held>(needed: Condition, format: FormatOf<Held>, where: Where = {}): Field<Held, false> => ({
  format,
  always: false,
  needed,
  where,
})

/**
 * A field that may be there. So are those that the specification calls conditional where the condition is of the market
 * or of the directory server, and cannot be told from a message.
 */
export const optional = <Held>(format: FormatOf<Held>, where: Where = {}): Field<Held, false> => ({
  format,
  always: false,
  needed: never,
  where,
})

export const app: Where = { channels: ['01'] }
export const browser: Where = { channels: ['02'] }
export const threeRi: Where = { channels: ['03'] }
/** Where the cardholder is there. */
export const shopper: Where = { channels: ['01', '02'] }
export const since220: Where = { since: '2.2.0' }

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
  (one: Condition, other: Condition): Condition =>
  (scope) =>
    one(scope) && other(scope)
export const either =
  (one: Condition, other: Condition): Condition =>
  (scope) =>
    one(scope) || other(scope)
export const before220: Condition = ({ version }) => version === '2.1.0'
