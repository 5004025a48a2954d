import { codeAt, type Value } from './content.ts'
import type { Kind } from './field.ts'

/** The rule for the characters of a kind. */
export interface KindRule {
  /** For errors: the value must be … */
  readonly describe: string
  /** The permitted characters by their code: 1, otherwise 0. undefined: any byte. */
  readonly characters: Uint8Array | undefined
  /** As `characters`, for the first character only. */
  readonly first: Uint8Array | undefined
  /** The character that fills a shorter value of a fixed length, and its side. undefined: the length must match. */
  readonly padding: { readonly character: string; readonly side: 'left' | 'right' } | undefined
}

const rule = (
  describe: string,
  characters: RegExp | undefined,
  padding?: KindRule['padding'],
  first = characters,
): KindRule => ({
  describe,
  characters: characters && charactersOf(characters),
  first: first && charactersOf(first),
  padding,
})

const charactersOf = (pattern: RegExp): Uint8Array =>
  Uint8Array.from({ length: 256 }, (_, code) => (pattern.test(String.fromCharCode(code)) ? 1 : 0))

const spaces = { character: ' ', side: 'right' } as const

const zeros = { character: '0', side: 'left' } as const

/** The rule of each kind. */
export const kindRules: Readonly<Record<Kind, KindRule>> = {
  n: rule('digits', /[0-9]/, zeros),
  an: rule('letters, digits and spaces', /[A-Za-z0-9 ]/, spaces),
  ans: rule('printable characters of ASCII', /[ -~]/, spaces),
  ns: rule('digits and special characters of ASCII', /[ -@[-`{-~]/, spaces),
  xn: rule('C or D, then digits', /[0-9]/, undefined, /[CD]/),
  z: rule('digits and =', /[0-9=]/),
  b: rule('bytes', undefined),
}

/** Whether every character of a value, or of its part up to `length`, is permitted. */
export function follows({ characters, first }: KindRule, value: Value, length = value.length): boolean {
  if (characters === undefined || first === undefined) return true
  for (let i = 0; i < length; i++) if ((i === 0 ? first : characters)[codeAt(value, i)] !== 1) return false
  return true
}

/** Whether every character of a value is permitted. */
export const isOfKind = (kind: Kind, value: Value): boolean => follows(kindRules[kind], value)
