import { limits } from './limits.ts'
import { CommandError } from './manage-client.ts'

/** An option that is a number of seconds. */
export function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text) || text.length > limits.secondsDigitsMax)
    throw new CommandError('a number of seconds must be a whole number')
  return Number(text)
}

/** The query of those that were given, with its question mark; nothing where none was. */
export function query(parameters: Readonly<Record<string, string | undefined>>): string {
  const present = Object.entries(parameters).filter((pair): pair is [string, string] => pair[1] !== undefined)
  return present.length === 0 ? '' : `?${String(new URLSearchParams(present))}`
}
