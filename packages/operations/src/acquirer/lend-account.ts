import type { AcquirerAccount } from '@tollgate/connectors'
import type { AccountRow } from '@tollgate/storage'
import { unsealNumber, type Unsealing } from '../accounts/stored-instrument.ts'
import { kindOf } from '../records/account-record.ts'

/**
 * The account of a stored payment with its decrypted number, for one message to an acquirer. The caller wipes the
 * number.
 *
 * @returns undefined if there is no account, or its number was erased
 */
export function lendAccount(context: Unsealing, account: AccountRow | undefined): AcquirerAccount | undefined {
  const number = account && unsealNumber(context, account)
  if (!account || !number) return undefined
  return {
    kind: kindOf(account),
    number,
    holder: account.holder ?? undefined,
    expiryMonth: account.expiry_month ?? undefined,
    expiryYear: account.expiry_year ?? undefined,
    cvv: undefined,
  }
}
