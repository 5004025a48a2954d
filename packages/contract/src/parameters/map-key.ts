import { chars, pattern } from '../format.ts'

/** Keys of maps of the merchant: 3 to 64 letters, digits, dots or underscores. */
export const mapKey = chars('letters, digits, dots or underscores', 3, 64)

/** Keys for which the contract defines a length but no characters: all except brackets and control characters. */
export const freeMapKey = pattern(
  '3 to 64 characters without brackets',
  // oxlint-disable-next-line no-control-regex
  /^[^[\]\u0000-\u001F\u007F]{3,64}$/u,
)
