/**
 * Additional rights of callers. chargeback: record chargebacks and their reversals. system: record all events of the
 * payment system, including receipts.
 */
export const rights = ['chargeback', 'system'] as const

export type Right = (typeof rights)[number]

/** Whether a text is a right. */
export const isRight = (text: string): text is Right => rights.some((right) => right === text)
