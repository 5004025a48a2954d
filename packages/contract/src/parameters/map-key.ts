import { chars, pattern } from '../format.ts'

/** Keys that the merchant chooses for the entries of a map: 3 to 64 letters, digits, dots or underscores. */
export const mapKey = chars('letters, digits, dots or underscores', 3, 64)

/**
 * Keys for which the contract defines a length but no characters. All characters are accepted, except brackets, which
 * delimit the key in a parameter's name, and control characters.
 */
export const freeMapKey = pattern(
  '3 to 64 characters without brackets',
  // oxlint-disable-next-line no-control-regex
  /^[^[\]\u0000-\u001F\u007F]{3,64}$/u,
)
