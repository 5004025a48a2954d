/** The text with 0 to 9 for the digits of Arabic, Persian and full width, whose last four bits say which they are. */
export const latinDigits = (text: string): string =>
  text.replaceAll(/[٠-٩۰-۹０-９]/g, (digit) => String(digit.charCodeAt(0) & 15))

/** The digits of what was typed or pasted, and nothing else. */
export const digitsOf = (text: string): string => latinDigits(text).replaceAll(/\D/g, '')
