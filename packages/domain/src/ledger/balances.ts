import type { AccountName } from './accounts.ts'
import { type PostingKindName, postingKinds } from './posting-kinds.ts'

/** The sums of the entries of one kind, of one merchant, acquirer and currency. */
export interface PostingSums {
  readonly kind: PostingKindName
  readonly amountMinor: number
  readonly feeMinor: number
}

/** Debits less credits of each account that the entries move, in minor units. */
export function balancesOf(sums: Iterable<PostingSums>): ReadonlyMap<AccountName, number> {
  const balances = new Map<AccountName, number>()
  const add = (account: AccountName, minor: number) => balances.set(account, (balances.get(account) ?? 0) + minor)
  for (const { kind, amountMinor, feeMinor } of sums) {
    for (const { debit, credit, of } of postingKinds[kind].movements) {
      const minor = of === 'amount' ? amountMinor : feeMinor
      add(debit, minor)
      add(credit, -minor)
    }
  }
  return balances
}
