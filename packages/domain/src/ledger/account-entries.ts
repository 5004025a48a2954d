import type { AccountName } from './accounts.ts'
import { balancesOf, type PostingSums } from './balances.ts'
import type { ReserveTerms } from './merchant-terms.ts'
import { partOf } from './part-of.ts'
import type { PostingKindName } from './posting-kinds.ts'

/** The sums of a merchant's entries of one acquirer, currency and kind. */
export interface AccountSums extends PostingSums {
  readonly acquirer: string
  readonly currency: string
}

/** An entry of the account of a merchant. */
export interface AccountEntry {
  readonly kind: PostingKindName
  readonly acquirer: string
  readonly currency: string
  /** Minor units, positive. */
  readonly amountMinor: number
}

const becomesAvailable: ReadonlySet<PostingKindName> = new Set(['available', 'availableReversal'] as const)
const isReleased: ReadonlySet<PostingKindName> = new Set(['reserveRelease'] as const)

/**
 * The entries by which the pending funds of due days become available, and a part of them is withheld. What is moved is
 * the balance of those days less what was moved before: an entry that came to a day after it was due is moved with the
 * next one.
 *
 * @param due the sums of the entries of all due days
 * @param all the sums of all entries
 */
export function availableEntries(
  due: readonly AccountSums[],
  all: readonly AccountSums[],
  reserve: ReserveTerms | undefined,
): readonly AccountEntry[] {
  return remainders('merchantPending', becomesAvailable, due, all).flatMap(({ minor, ...of }): AccountEntry[] => {
    if (minor < 0) return [{ ...of, kind: 'availableReversal', amountMinor: -minor }]
    const reservedMinor = partOf(minor, reserve?.millionths ?? 0)
    const available: AccountEntry = { ...of, kind: 'available', amountMinor: minor }
    return reservedMinor === 0 ? [available] : [available, { ...of, kind: 'reserve', amountMinor: reservedMinor }]
  })
}

/**
 * The entries by which withheld funds are released.
 *
 * @param due the sums of the entries of all days whose reserve is released
 * @param all the sums of all entries
 */
export function releaseEntries(due: readonly AccountSums[], all: readonly AccountSums[]): readonly AccountEntry[] {
  return remainders('merchantReserve', isReleased, due, all).flatMap(({ minor, ...of }) =>
    minor > 0 ? [{ ...of, kind: 'reserveRelease' as const, amountMinor: minor }] : [],
  )
}

interface Remainder extends Pick<AccountSums, 'acquirer' | 'currency'> {
  /** Not 0. */
  readonly minor: number
}

/** The balance of a liability on the due days, less what entries of some kinds have moved on any day. */
function remainders(
  account: AccountName,
  movedBy: ReadonlySet<PostingKindName>,
  due: readonly AccountSums[],
  all: readonly AccountSums[],
): readonly Remainder[] {
  const counted = [...due.filter(({ kind }) => !movedBy.has(kind)), ...all.filter(({ kind }) => movedBy.has(kind))]
  const groups = new Map<string, AccountSums[]>()
  for (const sums of counted) {
    const key = `${sums.currency} ${sums.acquirer}`
    const group = groups.get(key)
    if (group) group.push(sums)
    else groups.set(key, [sums])
  }
  return [...groups.values()].flatMap((group) => {
    const minor = -(balancesOf(group).get(account) ?? 0)
    const { acquirer = '', currency = '' } = group[0] ?? {}
    return minor === 0 ? [] : [{ acquirer, currency, minor }]
  })
}
