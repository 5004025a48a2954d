import { type BrandCode, DAY_MS } from '@tollgate/contract'

/**
 * Cases of authorisations with different validity: customer (customer initiated), merchant (merchant initiated),
 * extended (lodging, vehicle rental and cruises, whose final amount is known late), present (a terminal read the card).
 */
export type AuthorisationCase = 'customer' | 'merchant' | 'extended' | 'present'

interface Validity {
  /** Days from the authorisation until its hold must be captured or released. */
  readonly days: Readonly<Record<AuthorisationCase, number>>
  /** Whether an incremental authorisation restarts the period. */
  readonly incrementExtends: boolean
}

const defaultValidity: Validity = {
  days: { customer: 7, merchant: 7, extended: 7, present: 2 },
  incrementExtends: false,
}

/**
 * Validity of authorisations by network. Where sources differ by a few days, the table has the shorter validity,
 * because late captures are refused or charged back. Mastercard: 30 days for a preauthorisation without a terminal; the
 * 7 days of a final authorisation concern debits, which are captured at once.
 */
const validities: Readonly<Partial<Record<BrandCode, Validity>>> = {
  VISA: { days: { customer: 7, merchant: 5, extended: 30, present: 5 }, incrementExtends: false },
  MASTER: { days: { customer: 30, merchant: 30, extended: 30, present: 2 }, incrementExtends: true },
  MAESTRO: { days: { customer: 7, merchant: 7, extended: 7, present: 7 }, incrementExtends: false },
}

/** Debit and regional products, and the networks whose rules apply to them. */
const networks: Readonly<Partial<Record<BrandCode, BrandCode>>> = {
  VISADEBIT: 'VISA',
  VISAELECTRON: 'VISA',
  VPAY: 'VISA',
  MASTERDEBIT: 'MASTER',
}

/**
 * The end of an authorisation.
 *
 * @param brand null: unknown; the default days apply, as for a brand without a row
 * @param atMs when it was authorised, epoch milliseconds
 * @returns the moment from which the authorisation can no longer be captured, epoch milliseconds
 */
export const authorisationExpiresAtMs = (brand: BrandCode | null, kind: AuthorisationCase, atMs: number): number =>
  atMs + validityOf(brand).days[kind] * DAY_MS

/** Whether an increment extends the validity of the authorisation. */
export const incrementExtends = (brand: BrandCode | null): boolean => validityOf(brand).incrementExtends

function validityOf(brand: BrandCode | null): Validity {
  if (brand === null) return defaultValidity
  return validities[networks[brand] ?? brand] ?? defaultValidity
}

/** Merchant category codes (ISO 18245) of hotels, vehicle rental and cruise lines, as ranges. */
const lateAmountCategories: readonly (readonly [first: number, last: number])[] = [
  [3351, 3500],
  [3501, 3999],
  [4411, 4411],
  [7011, 7011],
  [7512, 7513],
  [7519, 7519],
]

/**
 * The case of a requested authorisation.
 *
 * @param request its merchant.mcc, standingInstruction.source, and whether a terminal read the card
 */
export function authorisationCase(request: {
  readonly mcc?: string | undefined
  readonly source?: string | undefined
  readonly isCardPresent?: boolean | undefined
}): AuthorisationCase {
  const mcc = Number(request.mcc)
  if (lateAmountCategories.some(([first, last]) => first <= mcc && mcc <= last)) return 'extended'
  if (request.isCardPresent) return 'present'
  return request.source === 'MIT' ? 'merchant' : 'customer'
}
