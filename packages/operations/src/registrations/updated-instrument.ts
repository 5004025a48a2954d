import { isBrand, type ParameterName, type Secret } from '@tollgate/contract'
import { refused } from '@tollgate/domain'
import type { AccountRow } from '@tollgate/storage'
import type { Context } from '../context.ts'
import type { Call } from '../request.ts'
import { known } from '../narrow.ts'
import { detailsOf, kindOf } from '../records/account-record.ts'
import { isVerificationRequested } from './account-verification.ts'
import { type MaskedAccount, type AccountKind, accountKinds, maskedAccountOf } from '../records/masked-account.ts'
import { sentNumber } from '../accounts/bank-account.ts'
import { type Instrument, ownedByForm, unusable } from '../accounts/instrument.ts'
import { readers, unsealed } from '../accounts/stored-instrument.ts'

/** The structures that carry an account. */
const structures: ReadonlySet<string> = new Set([...accountKinds, 'walletA', 'walletB', 'walletC', 'pos'])

/** What an update of an account of a kind must know of it. */
interface Kind {
  /** What tells one account from another, where it is sent. */
  readonly number: (call: Call) => Secret | undefined
  /** What belongs to the number and does not outlive it. */
  readonly ofNumber: readonly string[]
  /** The parameters of the columns that an account of the kind has. */
  readonly holder?: ParameterName
  readonly expiryMonth?: ParameterName
  readonly expiryYear?: ParameterName
}

const secret = (name: ParameterName) => (call: Call) => call.parameters.secrets.get(name)

const kinds: Readonly<Record<AccountKind, Kind>> = {
  card: {
    number: secret('card.number'),
    ofNumber: [],
    holder: 'card.holder',
    expiryMonth: 'card.expiryMonth',
    expiryYear: 'card.expiryYear',
  },
  bankAccount: {
    number: sentNumber,
    ofNumber: ['bankName', 'bankCode', 'bic', 'country'],
    holder: 'bankAccount.holder',
  },
  virtualAccount: { number: secret('virtualAccount.accountId'), ofNumber: [] },
  tokenAccount: {
    number: secret('tokenAccount.number'),
    ofNumber: [],
    expiryMonth: 'tokenAccount.expiryMonth',
    expiryYear: 'tokenAccount.expiryYear',
  },
  giftCard: { number: secret('giftCard.number'), ofNumber: [], holder: 'giftCard.holder' },
}

/**
 * A stored account with what a request sends of it in the place of what was stored; undefined where it sends nothing
 * and does not want it verified. The number is the stored one, decrypted until it is released, unless another is sent.
 */
export function instrumentOfUpdate(context: Context, call: Call, account: AccountRow): Instrument | undefined {
  const { sent, values } = call.parameters
  const kind = kindOf(account)
  const sentStructures = new Set(sent.map(({ structure }) => structure).filter((one) => structures.has(one)))
  const brand = values.get('paymentBrand')
  const isSame = sentStructures.size === 0 && (brand === undefined || brand === account.brand)
  if (isSame && !isVerificationRequested(call, kind)) return undefined
  sentStructures.delete(kind)
  if (sentStructures.size > 0) {
    return unusable(kind, undefined, refused('700.100.400', `the registration holds another kind of account: ${kind}`))
  }
  const another = kinds[kind].number(call)
  const number = another ?? unsealed(context, account)
  const storedBrand = known(isBrand, account.brand)
  if (!number || !storedBrand) {
    return unusable(kind, undefined, refused('100.150.205', 'the stored account holds no account data any more'))
  }
  const masked = updatedFace(call, kind, maskedAccountOf(account, detailsOf(account)), another !== undefined)
  const instrument = readers[kind].ofStored(call, {
    brand: storedBrand,
    number,
    masked,
    replaced: another !== undefined,
  })
  const release = another ? ownedByForm : () => number.wipe()
  if (instrument.kind === 'usable') return { ...instrument, release }
  release()
  return instrument
}

/** What a face has in columns of its own. */
const columns: ReadonlySet<string> = new Set(['holder', 'expiryMonth', 'expiryYear'])

/** The face with every field of the structure that was sent. Secrets are no values. */
function updatedFace(call: Call, kind: AccountKind, masked: MaskedAccount, replaced: boolean): MaskedAccount {
  const { sent, values } = call.parameters
  const { ofNumber, holder, expiryMonth, expiryYear } = kinds[kind]
  const details = new Map(Object.entries(masked.details))
  if (replaced) for (const name of ofNumber) details.delete(name)
  for (const { name, structure, path } of sent) {
    const [value, field] = [values.get(name), String(path[1])]
    if (structure === kind && path.length === 2 && value !== undefined && !columns.has(field)) details.set(field, value)
  }
  const column = (name: ParameterName | undefined, stored: string | null) =>
    (name === undefined ? undefined : values.get(name)) ?? stored
  return {
    ...masked,
    holder: column(holder, masked.holder),
    expiryMonth: column(expiryMonth, masked.expiryMonth),
    expiryYear: column(expiryYear, masked.expiryYear),
    details: Object.fromEntries(details),
  }
}
