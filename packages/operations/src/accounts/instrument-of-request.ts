import { type BrandKind, brands, walletBrands } from '@tollgate/contract'
import type { Call } from '../request.ts'
import type { FormReader } from './account-reader.ts'
import { bankAccount } from './bank-account.ts'
import { card } from './card.ts'
import { giftCard } from './gift-card.ts'
import type { Instrument } from './instrument.ts'
import { knownBrand } from './payment-brand.ts'
import { terminalCard } from './terminal-card.ts'
import { tokenAccount } from './token-account.ts'
import { virtualAccount } from './virtual-account.ts'
import { wallet } from './wallet.ts'

interface Row {
  readonly structure: string
  readonly reader: FormReader
  /** The structure pays only for brands of this kind; beside others it is data. */
  readonly only?: BrandKind
}

/** Who reads the account of a request that carries a structure; of several, the first in this order. */
const readers: readonly Row[] = [
  { structure: 'virtualAccount', reader: virtualAccount, only: 'virtualAccount' },
  { structure: 'giftCard', reader: giftCard, only: 'giftCard' },
  { structure: 'bankAccount', reader: bankAccount, only: 'directDebit' },
  { structure: 'walletA', reader: wallet('walletA', walletBrands.walletA) },
  { structure: 'walletB', reader: wallet('walletB', walletBrands.walletB) },
  { structure: 'walletC', reader: wallet('walletC', walletBrands.walletC) },
  { structure: 'tokenAccount', reader: tokenAccount },
  { structure: 'pos', reader: terminalCard },
  // Of another brand; what else the request carries comes first.
  { structure: 'bankAccount', reader: bankAccount },
]

const structures = new Set(readers.map(({ structure }) => structure))

/** What the request itself says to pay with. */
export function instrumentOfForm(call: Call): Instrument {
  const { sent, values } = call.parameters
  // Most requests carry a card and none of these.
  if (!sent.some(({ structure }) => structures.has(structure))) return card.ofForm(call)
  const brand = knownBrand(values.get('paymentBrand'))
  const kind = brand && brands[brand].kind
  const found = readers.find(
    ({ structure, only = kind }) => only === kind && sent.some((one) => one.structure === structure),
  )
  return (found?.reader ?? card).ofForm(call)
}
