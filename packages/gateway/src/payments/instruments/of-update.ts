import { isBrand } from '@tollgate/contract'
import { refused } from '@tollgate/domain'
import type { AccountRow } from '@tollgate/storage'
import type { Gateway } from '../../gateway.ts'
import type { Call } from '../../http/public/route.ts'
import { known } from '../../known.ts'
import { detailsOf, kindOf } from '../account-record.ts'
import { type AccountKind, accountKinds, faceOf } from '../account-view.ts'
import { type Instrument, ownedByForm, unusable } from './instrument.ts'
import { readers, unsealed } from './of-stored.ts'

/** The structures that carry an account. */
const structures: ReadonlySet<string> = new Set([...accountKinds, 'walletA', 'walletB', 'walletC', 'pos'])

/** What tells one account of a kind from another. */
const identifiers: Readonly<Record<AccountKind, readonly string[]>> = {
  card: ['card.number'],
  bankAccount: ['bankAccount.iban', 'bankAccount.number'],
  virtualAccount: ['virtualAccount.accountId'],
  tokenAccount: ['tokenAccount.number'],
  giftCard: ['giftCard.number'],
}

/**
 * A stored account with what a request sends of it in the place of what was stored; undefined where it sends nothing.
 * The number is the stored one, decrypted until it is released, unless another is sent.
 */
export function instrumentOfUpdate(gateway: Gateway, call: Call, account: AccountRow): Instrument | undefined {
  const { sent, values, secrets } = call.form
  const kind = kindOf(account)
  const sentStructures = new Set(sent.map(({ structure }) => structure).filter((one) => structures.has(one)))
  const brand = values.get('paymentBrand')
  if (sentStructures.size === 0 && (brand === undefined || brand === account.brand)) return undefined
  sentStructures.delete(kind)
  if (sentStructures.size > 0) {
    return unusable(kind, undefined, refused('700.100.400', `the registration holds another kind of account: ${kind}`))
  }
  const another = identifiers[kind].map((name) => secrets.get(name)).find((secret) => secret !== undefined)
  const number = another ?? unsealed(gateway, account)
  const storedBrand = known(isBrand, account.brand)
  if (!number || !storedBrand) {
    return unusable(kind, undefined, refused('100.150.205', 'the stored account holds no account data any more'))
  }
  const face = faceOf(account, detailsOf(account))
  const reader = readers[kind]
  const replaced = another !== undefined
  const instrument = reader.ofStored(call, {
    brand: storedBrand,
    number,
    replaced,
    face: {
      ...face,
      holder: values.get(`${kind}.holder`) ?? face.holder,
      expiryMonth: values.get(`${kind}.expiryMonth`) ?? face.expiryMonth,
      expiryYear: values.get(`${kind}.expiryYear`) ?? face.expiryYear,
      details: reader.updated?.(call, face.details, replaced) ?? {
        ...face.details,
        type: values.get(`${kind}.type`) ?? face.details['type'],
        numberType: values.get(`${kind}.numberType`) ?? face.details['numberType'],
      },
    },
  })
  const release = another ? ownedByForm : () => number.wipe()
  if (instrument.kind === 'usable') return { ...instrument, release }
  release()
  return instrument
}
