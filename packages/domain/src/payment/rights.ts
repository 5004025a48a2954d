/**
 * What only some callers may do. chargeback: record chargebacks and their reversals. system: record whatever the
 * payment system itself learns of, receipts too.
 */
export const rights = ['chargeback', 'system'] as const

export type Right = (typeof rights)[number]

/** Whether `text` is the word for a right. */
export const isRight = (text: string): text is Right => rights.some((right) => right === text)
