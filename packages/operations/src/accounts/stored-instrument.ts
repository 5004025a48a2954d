import { isBrand, type Secret } from '@tollgate/contract'
import { refused, type Registration, unknownRegistration, useRegistration } from '@tollgate/domain'
import type { AccountRow } from '@tollgate/storage'
import type { Context } from '../context.ts'
import type { Call } from '../request.ts'
import { known } from '../narrow.ts'
import { type AccountKind, maskedAccountOf } from '../records/masked-account.ts'
import { detailsOf, kindOf, sealedOf } from '../records/account-record.ts'
import type { AccountReader } from './account-reader.ts'
import { bankAccount } from './bank-account.ts'
import { card } from './card.ts'
import { giftCard } from './gift-card.ts'
import { type Instrument, unusable } from './instrument.ts'
import { knownBrand } from './payment-brand.ts'
import { tokenAccount } from './token-account.ts'
import { virtualAccount } from './virtual-account.ts'

/** Who reads stored accounts of a kind. */
export const readers: Readonly<Record<AccountKind, AccountReader>> = {
  card,
  bankAccount,
  virtualAccount,
  tokenAccount,
  giftCard,
}

/**
 * The stored account of a registration.
 *
 * @param stored undefined where there is none, or none that the caller may see
 */
export async function instrumentOfRegistration(
  context: Context,
  call: Call,
  stored: Registration | undefined,
): Promise<Instrument> {
  if (!stored) return unusableOf(undefined, unknownRegistration.use)
  const why = useRegistration({ registration: stored, channel: call.channels[0]?.id ?? '', atMs: call.atMs })
  const account = await context.storage.account(stored.accountId)
  const instrument = why ? unusableOf(account, why) : instrumentOfAccount(context, call, account)
  return { ...instrument, registrationId: stored.id }
}

/** A stored account as an instrument, decrypted until it is released. */
export function instrumentOfAccount(context: Context, call: Call, account: AccountRow | undefined): Instrument {
  const brand = known(isBrand, account?.brand)
  const number = account && brand ? unsealed(context, account) : undefined
  if (!account || !brand || !number)
    return unusableOf(account, refused('100.150.205', 'the stored account holds no account data any more'))
  const masked = maskedAccountOf(account, detailsOf(account))
  const instrument = readers[kindOf(account)].ofStored(call, { brand, number, masked, replaced: false })
  const release = () => number.wipe()
  if (instrument.kind === 'usable') return { ...instrument, release }
  release()
  return instrument
}

function unusableOf(account: AccountRow | undefined, why: Parameters<typeof unusable>[2]): Instrument {
  if (!account) return unusable('card', undefined, why)
  return unusable(
    kindOf(account),
    knownBrand(account.brand ?? undefined),
    why,
    maskedAccountOf(account, detailsOf(account)),
  )
}

/** The number of an account, which the caller wipes; undefined once it was erased. */
export function unsealed({ vault }: Pick<Context, 'vault'>, account: AccountRow): Secret | undefined {
  const { id, merchant } = account
  const sealed = sealedOf(account)
  return sealed && vault.unseal(sealed, { id, merchant })
}
