import { type Echo, InvariantError } from '@tollgate/contract'

/** What each member of stored JSON must be; total, so that a new member does not compile without its check. */
export type Shape<T> = { readonly [Name in keyof Required<T>]: (value: unknown) => value is T[Name] }

/**
 * JSON as this version stores it.
 *
 * @throws InvariantError on any other: the file was damaged, or altered by hand
 */
export function readStored<T>(shape: Shape<T>, text: string): T {
  const value: unknown = JSON.parse(text)
  if (!fits(shape, value)) throw notAsWritten()
  return value
}

const notAsWritten = () => new InvariantError('stored JSON has an unknown shape')

function fits<T>(shape: Shape<T>, value: unknown): value is T {
  if (!isObject(value)) return false
  for (const name in shape) if (!shape[name](Reflect.get(value, name))) return false
  return true
}

export const isText = (value: unknown): value is string => typeof value === 'string'

export const isWhole = (value: unknown): value is number => Number.isSafeInteger(value)

export const isTrue = (value: unknown): value is true => value === true

/** Whether a value is an object of texts. */
export const isTexts = (value: unknown): value is Readonly<Record<string, string>> =>
  isObject(value) && Object.values(value).every(isText)

/** An object of a shape of its own. */
export const shaped =
  <T>(shape: Shape<T>) =>
  (value: unknown): value is T =>
    fits(shape, value)

/** One of a few texts. */
export const oneOf =
  <T extends string>(texts: readonly T[]) =>
  (value: unknown): value is T =>
    texts.some((text) => text === value)

/** Absent, or as it must be where it is there. */
export const optional =
  <T>(check: (value: unknown) => value is T) =>
  (value: unknown): value is T | undefined =>
    value === undefined || check(value)

interface Nested {
  readonly [name: string]: string | Nested | undefined
}

/** A stored object whose members are texts, or objects of the same kind. */
export function readNested(text: string): Nested {
  const value: unknown = JSON.parse(text)
  if (!isNested(value)) throw notAsWritten()
  return value
}

/** A stored echo. */
export function readEcho(text: string): Echo {
  const value: unknown = JSON.parse(text)
  if (!isEcho(value)) throw notAsWritten()
  return value
}

const isEcho = (value: unknown): value is Echo => isObject(value) && Object.values(value).every(isEchoValue)

const isEchoValue = (value: unknown): value is Echo[string] =>
  isText(value) || (Array.isArray(value) ? value.every(isEchoValue) : isEcho(value))

const isNested = (value: unknown): value is Nested =>
  isObject(value) && Object.values(value).every((member) => isText(member) || isNested(member))

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
