/**
 * The use of fields in the message types 0100, 0200, 0220 and 0400, by field (ISO 8583:1987 as acquirers use it). M:
 * mandatory. C: conditional. O: optional. -: not used, as all other fields.
 */
export const fieldUse: Readonly<Record<number, string>> = {
  2: 'MMMM',
  3: 'MMMM',
  4: 'MMMM',
  7: 'MMMM',
  11: 'MMMM',
  12: 'MMMM',
  13: 'MMMM',
  14: 'CCCC',
  18: 'MMMM',
  19: 'CCCC',
  22: 'MMMM',
  23: 'CCCC',
  25: 'MMMM',
  26: 'CC--',
  28: 'OOOO',
  32: 'MMMM',
  33: 'CCCC',
  35: 'CC--',
  37: 'MMMM',
  38: '--MC',
  39: '--CC',
  41: 'MMMM',
  42: 'MMMM',
  43: 'MMMM',
  45: 'CC--',
  48: 'CCCC',
  49: 'MMMM',
  52: 'CC--',
  53: 'CC--',
  54: 'CCCC',
  55: 'CCCC',
  60: 'OOOO',
  61: 'OOOO',
  62: 'CCMM',
  63: 'CCCC',
  64: 'CCCC',
  90: 'CCMM',
  95: '--CC',
  100: 'OOOO',
  102: 'CCCC',
  103: 'CC--',
  104: 'OOO-',
}

/** The position of a message type in the rows. */
export const useColumns: readonly string[] = ['0100', '0200', '0220', '0400']

/** Fields that the standard reserves for private use, and that this link uses in every message type. */
export const privateUse: ReadonlySet<number> = new Set([120, 121, 122, 123, 124, 125, 126])
