import { InvariantError } from '@tollgate/contract'

/** Creates a type guard for a set of texts. */
export const isOneOf =
  <T extends string>(texts: readonly T[]) =>
  (value: unknown): value is T =>
    texts.some((text) => text === value)

/**
 * Narrows a text that was checked before, such as a stored code, to the type of the registered codes; null and
 * undefined are returned unchanged.
 *
 * @throws InvariantError for an unregistered code
 */
export function narrow<Code extends string>(isCode: (text: string) => text is Code, text: string): Code
export function narrow<Code extends string, Missing extends null | undefined>(
  isCode: (text: string) => text is Code,
  text: string | Missing,
): Code | Missing
export function narrow<Code extends string>(isCode: (text: string) => text is Code, text: string | null | undefined) {
  if (typeof text !== 'string' || isCode(text)) return text
  throw new InvariantError('code is not registered')
}
