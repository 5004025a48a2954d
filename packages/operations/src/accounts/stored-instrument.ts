import { isBrand, type Secret } from '@tollgate/contract'
import { refused, type Registration, unknownRegistration, registrationUseRefusal } from '@tollgate/domain'
import type { AccountRow } from '@tollgate/storage'
import type { Context } from '../context.ts'
import { narrow } from '../narrow.ts'
import type { AccountOnFile } from '../parameters/account-on-file.ts'
import type { AccountRequest } from '../parameters/account-request.ts'
import { knownBrand } from '../parameters/payment-brand.ts'
import { type AccountKind, maskedAccountOf } from '../records/masked-account.ts'
import { detailsOf, kindOf, sealedOf } from '../records/account-record.ts'
import { storedBankAccount } from './bank-account.ts'
import { storedCard } from './card.ts'
import { storedGiftCard } from './gift-card.ts'
import { type Instrument, unusable } from './instrument.ts'
import type { StoredAccountReader } from './stored-account.ts'
import { storedTokenAccount } from './token-account.ts'
import { storedVirtualAccount } from './virtual-account.ts'

/** The part of a context that decrypts numbers. */
export interface Unsealing {
  readonly vault: Pick<Context['vault'], 'unseal'>
}

export const storedAccountReaders: Readonly<Record<AccountKind, StoredAccountReader>> = {
  card: storedCard,
  bankAccount: storedBankAccount,
  virtualAccount: storedVirtualAccount,
  tokenAccount: storedTokenAccount,
  giftCard: storedGiftCard,
}

/**
 * The instrument of a registration.
 *
 * @param registration undefined: the registration does not exist, or belongs to another merchant
 */
export async function instrumentOfRegistration(
  context: Context,
  request: AccountRequest<AccountOnFile>,
  registration: Registration | undefined,
): Promise<Instrument> {
  if (!registration) return unusableOf(undefined, unknownRegistration.use)
  const refusal = registrationUseRefusal({ registration, channel: request.channels[0]?.id ?? '', atMs: request.atMs })
  const account = await context.storage.account(registration.accountId)
  const instrument = refusal ? unusableOf(account, refusal) : instrumentOfAccount(context, request, account)
  return { ...instrument, registrationId: registration.id }
}

/** The instrument of a stored account. Its number stays decrypted until the instrument is released. */
export function instrumentOfAccount(
  context: Context,
  request: AccountRequest<AccountOnFile>,
  account: AccountRow | undefined,
): Instrument {
  const brand = narrow(isBrand, account?.brand)
  const number = account && brand ? unsealNumber(context, account) : undefined
  if (!account || !brand || !number)
    return unusableOf(account, refused('100.150.205', 'no number of the account is stored'))
  const masked = maskedAccountOf(account, detailsOf(account))
  const instrument = storedAccountReaders[kindOf(account)](request, { brand, number, masked, isNumberReplaced: false })
  const release = () => number.wipe()
  if (instrument.kind === 'usable') return { ...instrument, release }
  release()
  return instrument
}

function unusableOf(account: AccountRow | undefined, refusal: Parameters<typeof unusable>[2]): Instrument {
  if (!account) return unusable('card', undefined, refusal)
  return unusable(
    kindOf(account),
    knownBrand(account.brand ?? undefined),
    refusal,
    maskedAccountOf(account, detailsOf(account)),
  )
}

/** Decrypts the number of an account; the caller wipes it. undefined: the number is erased. */
export function unsealNumber({ vault }: Unsealing, account: AccountRow): Secret | undefined {
  const { id, merchant } = account
  const sealed = sealedOf(account)
  return sealed && vault.unseal(sealed, { id, merchant })
}
