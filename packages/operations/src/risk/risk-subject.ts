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
  /** The counter that it belongs to: payments (PA, DB), payouts (CD), or standalone checks. */
  readonly among: 'payment' | 'payout' | 'check'
  readonly amountMinor: number
  readonly currency: CurrencyCode
  readonly account: RiskAccount
}

/** The account, as far as the request has one. */
export interface RiskAccount {
  readonly kind: AccountKind
  /** As it was sent, else as it was detected or stored. */
  readonly brand: string | undefined
  readonly number: Secret | undefined
  readonly masked: MaskedAccount | undefined
}
