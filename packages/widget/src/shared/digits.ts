/**
 * The text with 0 to 9 in place of Arabic, Persian and full-width digits. The last four bits of the code of each such
 * digit are its value.
 */
export const latinDigits = (text: string): string =>
  text.replaceAll(/[٠-٩۰-۹０-９]/g, (digit) => String(digit.charCodeAt(0) & 15))

/** The digits of a typed or pasted text. */
export const digitsOf = (text: string): string => latinDigits(text).replaceAll(/\D/g, '')
