import { isBrand } from '@tollgate/contract'
import { refused } from '@tollgate/domain'
import type { Call } from '../../http/public/route.ts'
import type { AccountReader } from './account-reader.ts'
import { bankAccount } from './bank-account.ts'
import { card } from './card.ts'
import { type Instrument, unusable } from './instrument.ts'

/**
 * Who reads the account of a request that carries a structure; the first that was sent decides. A structure without a
 * reader is one that no connector of this version can charge.
 */
const readers: ReadonlyMap<string, AccountReader | undefined> = new Map([
  ['walletA', undefined],
  ['walletB', undefined],
  ['walletC', undefined],
  ['pos', undefined],
  ['tokenAccount', undefined],
  ['bankAccount', bankAccount],
  ['virtualAccount', undefined],
  ['giftCard', undefined],
])

/** What the request itself says to pay with. */
export function instrumentOfForm(call: Call): Instrument {
  const { sent, values } = call.form
  const structure = sent.find((one) => readers.has(one.structure))?.structure
  if (structure === undefined) return card.ofForm(call)
  const reader = readers.get(structure)
  if (reader) return reader.ofForm(call)
  const brand = values.get('paymentBrand')
  const why = refused('600.200.200', `no connector of this channel takes ${structure}.*`)
  return unusable('card', brand !== undefined && isBrand(brand) ? brand : undefined, why)
}
