import { limits } from './limits.ts'

/** A JSON object of an answer, whose members may have any type. */
export type Json = Readonly<Record<string, unknown>>

/** Whether a value is a JSON object. */
export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The object of a member; an empty one for other values. */
export const objectIn = (json: Json, name: string): Json => {
  const value = json[name]
  return isObject(value) ? value : {}
}

/** The JSON object of a body; undefined for any other text. */
export function parseObject(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** A text of bounded length; undefined for other values. */
export function textIn(json: Json, name: string, charsMax: number = limits.textCharsMax): string | undefined {
  const value = json[name]
  return typeof value === 'string' && value.length > 0 && value.length <= charsMax ? value : undefined
}

/** A text that matches a pattern of bounded length; undefined for other values. */
export function matching(json: Json, name: string, pattern: RegExp): string | undefined {
  const value = json[name]
  return typeof value === 'string' && pattern.test(value) ? value : undefined
}
