import type { CheckoutRow } from '@tollgate/storage'
import { isResultCode } from '@tollgate/contract'
import { type Checkout, isDecline, limits } from '@tollgate/domain'
import type { Context } from '../context.ts'
import { type PreparedParameters, readPreparedParameters } from '../parameters/prepared-parameters.ts'
import { isStatus } from '../records/payment-record.ts'
import { narrow } from '../narrow.ts'
import { readStoredParameters } from '../records/stored-parameters.ts'

/** A stored checkout, with its prepared parameters and the state of its result. */
export interface StoredCheckout extends Checkout {
  readonly row: CheckoutRow
  /** The prepared parameters, by canonical name. */
  readonly parameters: Readonly<Record<string, string>>
  readonly prepared: PreparedParameters
  /** Whether the checkout stores the shopper's account without a payment. */
  readonly isRegistration: boolean
}

/** @returns undefined: the checkout does not exist, or belongs to the sandbox while the sandbox is off */
export async function readCheckout({ storage, directory }: Context, id: string): Promise<StoredCheckout | undefined> {
  const row = await storage.checkout(id)
  if (!row || directory.isVoid(row.entity_id)) return undefined
  const [result] = row.transaction_id === null ? [] : await storage.transactions([row.transaction_id])
  const parameters = readStoredParameters(row.parameters)
  const prepared = readPreparedParameters(parameters)
  const owner = { tokenId: '', entityId: row.entity_id, rights: [] }
  const [channel] = directory.channelsFor(owner, row.entity_id)
  return {
    row,
    parameters,
    prepared,
    isRegistration: prepared.purpose.sentType === undefined,
    status: result && narrow(isStatus, result.status),
    expiresAtMs: row.expires_at_ms,
    declines: (row.declines ?? 0) + (result && isDecline(narrow(isResultCode, result.result_code)) ? 1 : 0),
    declinesMax: channel?.settings.declines.checkout ?? limits.declinesMax.checkout,
  }
}
