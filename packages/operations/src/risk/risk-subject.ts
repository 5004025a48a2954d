import type { CurrencyCode, Secret } from '@tollgate/contract'
import type { ReferenceData } from '../parameters/reference-data.ts'
import type { RiskTerms } from '../parameters/risk.ts'
import type { Head } from '../request.ts'
import type { MaskedAccount, AccountKind } from '../records/masked-account.ts'

/** The subject of a risk check: a payment, or a standalone check. */
export interface RiskSubject {
  readonly request: Pick<Head, 'atMs' | 'parameters'> & { readonly reference: ReferenceData; readonly risk: RiskTerms }
  readonly id: string
  readonly merchant: string
  /** The counters that the check belongs to: those of payments (PA, DB), payouts (CD), or standalone checks. */
  readonly counterKind: 'payment' | 'payout' | 'check'
  readonly amountMinor: number
  readonly currency: CurrencyCode
  readonly account: RiskAccount
}

/** The account of the request, if it has one. */
export interface RiskAccount {
  readonly kind: AccountKind
  /** The sent brand, otherwise the detected or stored one. */
  readonly brand: string | undefined
  readonly number: Secret | undefined
  readonly masked: MaskedAccount | undefined
}
