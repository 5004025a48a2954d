import type { CurrencyCode, Secret } from '@tollgate/contract'
import type { ReferenceData } from '../parameters/reference-data.ts'
import type { RiskTerms } from '../parameters/risk.ts'
import type { Head } from '../request.ts'
import type { MaskedAccount, AccountKind } from '../records/masked-account.ts'

/** A payment, or a check that stands alone, as far as its risk goes. */
export interface RiskSubject {
  readonly request: Pick<Head, 'atMs' | 'parameters'> & { readonly reference: ReferenceData; readonly risk: RiskTerms }
  readonly id: string
  readonly merchant: string
  /** What it is counted among: payments (PA, DB), payouts (CD), and checks that stand alone, each for themselves. */
  readonly among: 'payment' | 'payout' | 'check'
  readonly amountMinor: number
  readonly currency: CurrencyCode
  readonly account: RiskAccount
}

/** The account, as far as the request tells of one. */
export interface RiskAccount {
  readonly kind: AccountKind
  /** As it was sent, else as it was detected or stored. */
  readonly brand: string | undefined
  readonly number: Secret | undefined
  readonly masked: MaskedAccount | undefined
}
