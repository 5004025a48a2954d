import type { CurrencyCode, Secret } from '@tollgate/contract'
import type { ReferenceData } from '../parameters/reference-data.ts'
import type { RiskParameters } from '../parameters/risk.ts'
import type { Head } from '../request-head.ts'
import type { MaskedAccount, AccountKind } from '../records/masked-account.ts'

/** The subject of a risk check: a payment, or a standalone check. */
export interface RiskSubject {
  readonly request: Pick<Head, 'atMs' | 'parameters'> & {
    readonly reference: ReferenceData
    readonly risk: RiskParameters
  }
  readonly id: string
  readonly merchant: string
  /** The kind of its counters: counters of payments (PA, DB), of payouts (CD), or of standalone checks. */
  readonly counterKind: 'payment' | 'payout' | 'check'
  readonly amountMinor: number
  readonly currency: CurrencyCode
  readonly account: RiskAccount
}

/** The account of the request, if it has one. */
export interface RiskAccount {
  readonly kind: AccountKind
  /** The sent brand, otherwise the detected or stored brand. */
  readonly brand: string | undefined
  readonly number: Secret | undefined
  readonly masked: MaskedAccount | undefined
}
