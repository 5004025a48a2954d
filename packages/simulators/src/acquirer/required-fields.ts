const TRANSACTION = [3, 4, 7, 11, 12, 13, 18, 22, 25, 32, 41, 42, 43, 49] as const

/**
 * The fields that a message must have, by the type of its first transmission; besides a card number in field 2, 35 or
 * 55. Field 37 is not required, because the host creates a missing one. Field 62 is not required in a reversal: after a
 * timeout the client does not know it. Fields 62 and 90 are not required in an advice: that of an offline sale has no
 * original.
 */
export const requiredFields: Readonly<Record<string, readonly number[]>> = {
  '0100': TRANSACTION,
  '0200': TRANSACTION,
  '0220': [...TRANSACTION, 38],
  '0400': [...TRANSACTION, 90],
  '0420': [...TRANSACTION, 39, 90],
  '0500': [3, 7, 11, 12, 13, 32, 42, 50, 74, 75, 76, 77, 86, 87, 88, 89, 97],
  '0800': [7, 11, 12, 13, 70],
}
