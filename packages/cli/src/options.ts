import { limits } from './limits.ts'
import { CommandError } from './manage-client.ts'

/** Parser of an option in seconds; `name` is the option's name in errors. */
export const seconds =
  (name: string) =>
  (text: string): number => {
    if (!/^\d+$/.test(text) || text.length > limits.secondsDigitsMax)
      throw new CommandError(`${name} must be a whole number of seconds`)
    return Number(text)
  }

/** The query string of the defined parameters, with its question mark; empty without any. */
export function query(parameters: Readonly<Record<string, string | undefined>>): string {
  const present = Object.entries(parameters).filter((pair): pair is [string, string] => pair[1] !== undefined)
  return present.length === 0 ? '' : `?${String(new URLSearchParams(present))}`
}
