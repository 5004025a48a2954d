/** Tag and length of an element. */
export const HEAD_CHARS = 5

/** An element of private data: a tag of two characters, a length of three digits, the value. */
export const elementText = (tag: string, value: string): string =>
  `${tag}${String(value.length).padStart(3, '0')}${value}`
