import { isBrand } from '@tollgate/contract'
import { refused } from '@tollgate/domain'
import type { AccountRow } from '@tollgate/storage'
import type { Context } from '../context.ts'
import type { StructureChanges } from '../parameters/account-changes.ts'
import type { UpdateRequest } from '../parameters/update-request.ts'
import { narrow } from '../narrow.ts'
import { detailsOf, kindOf } from '../records/account-record.ts'
import { isVerificationRequested } from './account-verification.ts'
import { type AccountKind, type MaskedAccount, maskedAccountOf } from '../records/masked-account.ts'
import { type Instrument, unusable } from '../accounts/instrument.ts'
import { storedAccountReaders, unsealNumber } from '../accounts/stored-instrument.ts'

/** Fields of an account that depend on its number and are removed if the number is replaced. */
const fieldsOfNumber: Readonly<Record<AccountKind, readonly string[]>> = {
  card: [],
  bankAccount: ['bankName', 'bankCode', 'bic', 'country'],
  virtualAccount: [],
  tokenAccount: [],
  giftCard: [],
}

/**
 * A stored account with the changes of a request; undefined if there are no changes and no verification is requested.
 * The number is the sent number, otherwise the stored number, which is decrypted until the instrument is released.
 */
export function updatedInstrument(
  context: Context,
  request: UpdateRequest,
  account: AccountRow,
): Instrument | undefined {
  const { changes } = request
  const { paymentBrand } = request.purpose
  const kind = kindOf(account)
  const isSame = changes.size === 0 && (paymentBrand === undefined || paymentBrand === account.brand)
  if (isSame && !isVerificationRequested(request, kind)) return undefined
  const change = changes.get(kind)
  if (changes.size > (change ? 1 : 0)) {
    return unusable(kind, undefined, refused('700.100.400', `the registration holds another kind of account: ${kind}`))
  }
  const sentNumber = change?.number
  const number = sentNumber ?? unsealNumber(context, account)
  const storedBrand = narrow(isBrand, account.brand)
  if (!number || !storedBrand) {
    return unusable(kind, undefined, refused('100.150.205', 'no number of the account is stored'))
  }
  const masked = updatedMaskedAccount(kind, maskedAccountOf(account, detailsOf(account)), change)
  const instrument = storedAccountReaders[kind](request, {
    brand: storedBrand,
    number,
    masked,
    isNumberReplaced: sentNumber !== undefined,
  })
  const release = sentNumber ? undefined : () => number.wipe()
  if (instrument.kind === 'usable') return { ...instrument, release }
  release?.()
  return instrument
}

/** The masked account, with the sent fields of the structure. */
function updatedMaskedAccount(
  kind: AccountKind,
  masked: MaskedAccount,
  change: StructureChanges | undefined,
): MaskedAccount {
  const stored = Object.entries(masked.details)
  const isReplaced = change?.number !== undefined
  const { holder, expiryMonth, expiryYear, ...details } = Object.fromEntries(change?.fields ?? [])
  return {
    ...masked,
    holder: holder ?? masked.holder,
    expiryMonth: expiryMonth ?? masked.expiryMonth,
    expiryYear: expiryYear ?? masked.expiryYear,
    details: {
      ...Object.fromEntries(isReplaced ? stored.filter(([field]) => !fieldsOfNumber[kind].includes(field)) : stored),
      ...details,
    },
  }
}
