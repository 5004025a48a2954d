import type { AccountName } from './accounts.ts'
import type { PostingSums } from './balances.ts'
import { postingKinds } from './posting-kinds.ts'

/** The accounts of what is owed to a merchant. */
const owed: ReadonlySet<AccountName> = new Set<AccountName>(['merchantPending', 'merchantAvailable', 'merchantReserve'])

/** The change of what is owed to a merchant, in minor units. A positive gross is owed; a positive fee is deducted. */
export interface OwedChange {
  readonly grossMinor: number
  readonly feeMinor: number
}

/** The change by entries of one kind: none by those that only move between other accounts, such as holds. */
export function owedToMerchant({ kind, amountMinor, feeMinor }: PostingSums): OwedChange {
  const change = { grossMinor: 0, feeMinor: 0 }
  for (const { debit, credit, of } of postingKinds[kind].movements) {
    const sign = Number(owed.has(credit)) - Number(owed.has(debit))
    if (of === 'amount') change.grossMinor += sign * amountMinor
    else change.feeMinor -= sign * feeMinor
  }
  return change
}
