import type { BrandCode, Secret } from '@tollgate/contract'
import type { Refused, Unknown } from '@tollgate/domain'
import type { PendingUnit } from '../pending-unit.ts'
import type { MaskedAccount, AccountKind } from '../records/masked-account.ts'

/** An account that can be charged or stored. Its secrets are wiped at the end of the request. */
export interface UsableInstrument {
  readonly kind: 'usable'
  readonly account: AccountKind
  readonly brand: BrandCode
  /** Set where the brand was detected and is not the one that was sent. */
  readonly brandResult: BrandCode | undefined
  /**
   * The number that identifies the account to the acquirer, the only part that is sealed: card number, IBAN, token.
   * Undefined if a terminal encrypted it for the acquirer.
   */
  readonly number: Secret | undefined
  /** Whether the number is an agreement, under which the provider of a redirect brand charges without a page. */
  readonly agreement?: true | undefined
  /** Proof that the shopper has the account, never stored: cvv, dtvc, pin. */
  readonly cvv: Secret | undefined
  readonly masked: MaskedAccount
  readonly registrationId: string | undefined
  /**
   * Erases what was decrypted for this payment only. undefined: nothing was; secrets that a request brings are wiped
   * after its answer.
   */
  readonly release: (() => void) | undefined
}

/** Unusable payment data, with the reason and the displayable part. */
export interface UnusableInstrument {
  readonly kind: 'unusable'
  readonly why: Refused | Unknown
  readonly account: AccountKind
  readonly brand: BrandCode | undefined
  readonly masked: MaskedAccount | undefined
  readonly registrationId: string | undefined
}

export type Instrument = UsableInstrument | UnusableInstrument

/** An account that can be used, as a request carries it. */
export const usable = (
  about: Pick<UsableInstrument, 'account' | 'brand' | 'number' | 'cvv' | 'masked'> &
    Partial<Pick<UsableInstrument, 'brandResult' | 'agreement'>>,
): UsableInstrument => ({
  kind: 'usable',
  account: about.account,
  brand: about.brand,
  brandResult: about.brandResult,
  agreement: about.agreement,
  number: about.number,
  cvv: about.cvv,
  masked: about.masked,
  registrationId: undefined,
  release: undefined,
})

/** Values for the parts of an account that a request did not send. */
export const unusable = (
  account: AccountKind,
  brand: BrandCode | undefined,
  why: Refused | Unknown,
  masked?: MaskedAccount,
): UnusableInstrument => ({ kind: 'unusable', why, account, brand, masked, registrationId: undefined })

const issued: ReadonlySet<AccountKind> = new Set(['card', 'tokenAccount'])

/** Whether an issuer can authenticate the holder: of a card, or of its network token. */
export const hasIssuer = ({ account }: Pick<UsableInstrument, 'account'>): boolean => issued.has(account)

/**
 * Releases an instrument once the unit of its payment is decided, whatever the result. A pending remote request still
 * needs the account number, and releases it itself.
 */
export const releaseAfter = ({ release }: UsableInstrument, deciding: Promise<PendingUnit>): Promise<PendingUnit> =>
  release ? decidedThen(release, deciding) : deciding

async function decidedThen(release: () => void, deciding: Promise<PendingUnit>): Promise<PendingUnit> {
  let isStillNeeded = false
  try {
    const unit = await deciding
    isStillNeeded = unit.remoteRequest !== undefined
    return unit
  } finally {
    if (!isStillNeeded) release()
  }
}
