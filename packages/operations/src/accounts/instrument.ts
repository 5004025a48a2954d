import type { BrandCode, Secret } from '@tollgate/contract'
import type { Refused, Unknown } from '@tollgate/domain'
import type { PendingUnit } from '../pending-unit.ts'
import type { MaskedAccount, AccountKind } from '../records/masked-account.ts'

/** An account that can be charged or stored. Its secrets are wiped at the end of the request. */
export interface UsableInstrument {
  readonly kind: 'usable'
  readonly account: AccountKind
  readonly brand: BrandCode
  /** The detected brand, if it differs from the sent brand. */
  readonly brandResult: BrandCode | undefined
  /**
   * The number that identifies the account to the acquirer, such as a card number, IBAN or token. Only the number is
   * sealed. undefined: a terminal encrypted the number for the acquirer, or the shopper selects the account on the page
   * of a redirect brand.
   */
  readonly number: Secret | undefined
  /** Whether the number is the id of an agreement: the provider of a redirect brand then charges without a page. */
  readonly isAgreement?: true | undefined
  /** The cvv, dtvc or pin: proof that the shopper has the account, never stored. */
  readonly cvv: Secret | undefined
  readonly masked: MaskedAccount
  readonly registrationId: string | undefined
  /**
   * Erases a number that was decrypted for this request; undefined: no number was decrypted, and a number in the
   * request is wiped after the answer.
   */
  readonly release: (() => void) | undefined
}

/** An account that the request cannot charge or store, with the refusal. */
export interface UnusableInstrument {
  readonly kind: 'unusable'
  readonly refusal: Refused | Unknown
  readonly account: AccountKind
  readonly brand: BrandCode | undefined
  readonly masked: MaskedAccount | undefined
  readonly registrationId: string | undefined
}

export type Instrument = UsableInstrument | UnusableInstrument

/** The instrument of an account, sent or stored, that the request can use. */
export const usable = (
  fields: Pick<UsableInstrument, 'account' | 'brand' | 'number' | 'cvv' | 'masked'> &
    Partial<Pick<UsableInstrument, 'brandResult' | 'isAgreement'>>,
): UsableInstrument => ({
  kind: 'usable',
  account: fields.account,
  brand: fields.brand,
  brandResult: fields.brandResult,
  isAgreement: fields.isAgreement,
  number: fields.number,
  cvv: fields.cvv,
  masked: fields.masked,
  registrationId: undefined,
  release: undefined,
})

/** The instrument of an account, sent or stored, that the request cannot use. */
export const unusable = (
  account: AccountKind,
  brand: BrandCode | undefined,
  refusal: Refused | Unknown,
  masked?: MaskedAccount,
): UnusableInstrument => ({ kind: 'unusable', refusal, account, brand, masked, registrationId: undefined })

const kindsWithIssuer: ReadonlySet<AccountKind> = new Set(['card', 'tokenAccount'])

/** Whether an issuer can authenticate the holder, as for a card or the token of a card. */
export const hasIssuer = ({ account }: Pick<UsableInstrument, 'account'>): boolean => kindsWithIssuer.has(account)

/**
 * Decides with an instrument, and releases it after `decide` succeeds or fails. A remote request of the unit still
 * needs the account number, and releases the instrument after its outcome.
 */
export const decideAndRelease = (
  { release }: UsableInstrument,
  decide: () => PendingUnit | Promise<PendingUnit>,
): PendingUnit | Promise<PendingUnit> => (release ? releaseAfter(release, decide) : decide())

async function releaseAfter(
  release: () => void,
  decide: () => PendingUnit | Promise<PendingUnit>,
): Promise<PendingUnit> {
  let isStillNeeded = false
  try {
    const unit = await decide()
    isStillNeeded = unit.remoteRequest !== undefined
    return unit
  } finally {
    if (!isStillNeeded) release()
  }
}
