/** The beginning of the ids of entries for rows of settlement files. */
const SETTLEMENT = 'settlement'

/**
 * The id of entries that are no consequence of one transaction, but of rows of a settlement file. It stands in the
 * place of the id of a transaction.
 *
 * @param id a unique id
 */
export const settlementEntryId = (fileId: string, id: string): string => `${SETTLEMENT}/${fileId}/${id}`

/** The settlement file, or else the transaction, to which an entry belongs. */
export interface EntryCause {
  readonly transactionId: string | null
  readonly settlementFile: string | null
}

export function causeOf({ transaction_id: id }: { readonly transaction_id: string }): EntryCause {
  const [prefix, fileId] = id.split('/')
  const isSettlement = prefix === SETTLEMENT && fileId !== undefined
  return isSettlement ? { transactionId: null, settlementFile: fileId } : { transactionId: id, settlementFile: null }
}
