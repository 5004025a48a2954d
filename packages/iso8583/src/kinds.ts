import { codeAt, type Value } from './content.ts'
import type { Kind } from './field.ts'

/** The rule for the characters of a kind. */
interface KindRule {
  /** For errors: the value must be … */
  readonly describe: string
  /** The permitted characters by their code: 1, otherwise 0. undefined: any byte. */
  readonly characters: Uint8Array | undefined
  /** As `characters`, for the first character only. */
  readonly first?: Uint8Array
  /** The character that fills a shorter value of a fixed length, and its side. undefined: the length must match. */
  readonly padding?: { readonly character: string; readonly side: 'left' | 'right' }
}

const charactersOf = (pattern: RegExp): Uint8Array =>
  Uint8Array.from({ length: 256 }, (_, code) => (pattern.test(String.fromCharCode(code)) ? 1 : 0))

const spaces = { character: ' ', side: 'right' } as const

const rules: Readonly<Record<Kind, KindRule>> = {
  n: { describe: 'digits', characters: charactersOf(/[0-9]/), padding: { character: '0', side: 'left' } },
  an: { describe: 'letters, digits and spaces', characters: charactersOf(/[A-Za-z0-9 ]/), padding: spaces },
  ans: { describe: 'printable characters of ASCII', characters: charactersOf(/[ -~]/), padding: spaces },
  ns: { describe: 'digits and special characters of ASCII', characters: charactersOf(/[ -@[-`{-~]/), padding: spaces },
  xn: { describe: 'C or D, then digits', characters: charactersOf(/[0-9]/), first: charactersOf(/[CD]/) },
  z: { describe: 'digits and =', characters: charactersOf(/[0-9=]/) },
  b: { describe: 'bytes', characters: undefined },
}

/** Whether every character of a value is permitted. */
export function isOfKind(kind: Kind, value: Value): boolean {
  const { characters, first = characters } = rules[kind]
  if (characters === undefined || first === undefined) return true
  for (let i = 0; i < value.length; i++) if ((i === 0 ? first : characters)[codeAt(value, i)] !== 1) return false
  return true
}

/** For errors: `digits`. */
export const describeKind = (kind: Kind): string => rules[kind].describe

/** The padding of a shorter value in a field of fixed length; undefined if there is none. */
export const paddingOf = (kind: Kind): KindRule['padding'] => rules[kind].padding
