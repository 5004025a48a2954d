import { sequence, text } from '../format.ts'

/** Phone numbers of persons: a plus or a digit, then digits and the usual separators, up to 25 characters. */
export const personPhone = sequence(
  'a plus or a digit, then up to 24 digits, spaces, dots, parentheses, slashes or hyphens',
  ['a plus or a digit', 1, 1],
  ['digits, spaces, dots, parentheses, slashes or hyphens', 0, 24],
)

/** Any text, because deployed shops send the number as the shopper typed it. */
export const legacyPhone = text(1, 255)

/** Phone numbers that belong to an address: 6 to 26 characters. */
export const addressPhone = sequence(
  'a plus or a digit, then 5 to 25 digits, spaces, dots, parentheses, slashes or hyphens',
  ['a plus or a digit', 1, 1],
  ['digits, spaces, dots, parentheses, slashes or hyphens', 5, 25],
)
