import { type BrandCode, InvariantError, isTrue, type ParameterName, type Secret } from '@tollgate/contract'
import type { Call } from '../request.ts'
import type { MaskedAccount } from '../records/masked-account.ts'
import type { Instrument } from './instrument.ts'
import { knownBrand } from './payment-brand.ts'

/** How what a request itself carries is read. */
export interface FormReader {
  ofForm(call: Call): Instrument
}

/** How accounts of one kind are read. */
export interface AccountReader extends FormReader {
  /** What was stored before, for a payment or a registration. */
  ofStored(call: Call, stored: StoredAccount): Instrument
}

/** What a structure that was sent must hold (contract, rules between parameters). */
export function secretOf({ parameters }: Call, name: ParameterName): Secret {
  const secret = parameters.secrets.get(name)
  if (!secret) throw new InvariantError(`checked request lacks ${name}`)
  return secret
}

/** The brand by which this kind of account was told from others. */
export function brandOf({ parameters }: Call): BrandCode {
  const brand = knownBrand(parameters.values.get('paymentBrand'))
  if (!brand) throw new InvariantError('checked request has no known paymentBrand')
  return brand
}

/**
 * "overrideHolder: allows card.holder or bankAccount.holder to replace an empty holder of the registration, for that
 * payment only."
 */
export const holderInstead = ({ parameters }: Call, structure: 'card' | 'bankAccount'): string | undefined =>
  isTrue(parameters, 'overrideHolder') ? parameters.values.get(`${structure}.holder`) : undefined

/** A stored account whose number was decrypted for this request. */
export interface StoredAccount {
  readonly brand: BrandCode
  readonly number: Secret
  readonly masked: MaskedAccount
  /** Whether the number is another than the stored one: then it may tell another brand. */
  readonly replaced: boolean
}
