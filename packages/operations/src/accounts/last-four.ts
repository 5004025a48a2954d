import { MASK, type Secret } from '@tollgate/contract'
import { limits } from '../limits.ts'

const SHOWN = 4

/** The last four characters of an account number, for display; null if the number is too short to show them. */
export function tailOf(account: Secret): string | null {
  return account.use((bytes) => {
    const starts = Array.from(bytes.keys()).filter((at) => isStart(bytes[at]))
    if (starts.length < limits.shownCharactersMin) return null
    return utf8.decode(bytes.subarray(starts.at(-SHOWN)))
  })
}

/** The same, with a mask in place of the hidden characters. */
export const maskedTail = (account: Secret): string => MASK + (tailOf(account) ?? '')

const utf8 = new TextDecoder('utf-8')

/** Whether a character begins with this byte of UTF-8: the others are 10xxxxxx. */
const isStart = (byte = 0): boolean => (byte & 0xc0) !== 0x80
