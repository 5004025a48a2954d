import { InvariantError } from '@tollgate/contract'

/** Whether a value is one of a few texts. */
export const isOneOf =
  <T extends string>(texts: readonly T[]) =>
  (value: unknown): value is T =>
    texts.some((text) => text === value)

/**
 * A code that was checked against its registry before, if there is one.
 *
 * @throws InvariantError for an unregistered code
 */
export function known<Code extends string>(isCode: (text: string) => text is Code, text: string): Code
export function known<Code extends string, Missing extends null | undefined>(
  isCode: (text: string) => text is Code,
  text: string | Missing,
): Code | Missing
export function known<Code extends string>(isCode: (text: string) => text is Code, text: string | null | undefined) {
  if (typeof text !== 'string' || isCode(text)) return text
  throw new InvariantError('checked code is in no registry')
}
