// Entries that are no consequence of one transaction have ids that begin with their cause. They stand in the place of
// the id of a transaction.
const SETTLEMENT = 'settlement'
const ACCOUNT = 'account'
const PAYOUT = 'payout'
const BANK = 'bank'

/**
 * The id of entries for rows of a settlement file.
 *
 * @param id a unique id
 */
export const settlementEntryId = (fileId: string, id: string): string => `${SETTLEMENT}/${fileId}/${id}`

/**
 * The id of entries by which funds of a merchant become available or are released: each exists once by its key.
 *
 * @param day the last day of the funds, in days since 1970
 */
export const accountEntryId = (merchant: string, day: number, acquirer: string, currency: string): string =>
  `${ACCOUNT}/${merchant}/${day}/${acquirer}/${currency}`

export const payoutEntryId = (payoutId: string): string => `${PAYOUT}/${payoutId}`

/** @param change the number of the change of the bank entry, from 0 */
export const bankEntryPostingId = (bankEntryId: string, change: number): string => `${BANK}/${bankEntryId}/${change}`

/** The settlement file, payout, bank entry or transaction to which an entry belongs; of account entries none. */
export interface EntryCause {
  readonly transactionId: string | null
  readonly settlementFile: string | null
  readonly payoutId: string | null
  readonly bankEntryId: string | null
}

export function causeOf({ transaction_id: id }: { readonly transaction_id: string }): EntryCause {
  const [prefix, causeId = null] = id.split('/')
  return {
    transactionId: causeId === null ? id : null,
    settlementFile: prefix === SETTLEMENT ? causeId : null,
    payoutId: prefix === PAYOUT ? causeId : null,
    bankEntryId: prefix === BANK ? causeId : null,
  }
}

/** The range of the ids of entries for rows of a settlement file: `0` follows `/`. */
export const settlementEntryRange = (fileId: string) => ({
  fromId: `${SETTLEMENT}/${fileId}/`,
  beforeId: `${SETTLEMENT}/${fileId}0`,
})
