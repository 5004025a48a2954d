import { MASK, type Secret } from '@tollgate/contract'
import { limits } from '../limits.ts'

const SHOWN = 4

/** The last four characters of an account number, for display; null if the number is too short to show them. */
export function lastFourOf(account: Secret): string | null {
  return account.use((bytes) => {
    const starts = Array.from(bytes.keys()).filter((index) => isFirstByte(bytes[index]))
    if (starts.length < limits.shownCharactersMin) return null
    return utf8.decode(bytes.subarray(starts.at(-SHOWN)))
  })
}

/** The last four characters, after a mask for the hidden characters. */
export const maskedLastFour = (account: Secret): string => MASK + (lastFourOf(account) ?? '')

const utf8 = new TextDecoder('utf-8')

/** Whether a byte is the first of a UTF-8 character: continuation bytes are 10xxxxxx. */
const isFirstByte = (byte = 0): boolean => (byte & 0xc0) !== 0x80
