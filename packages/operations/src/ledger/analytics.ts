import { isCurrency } from '@tollgate/contract'
import { formatSum, isPaymentType, type PaymentType } from '@tollgate/domain'
import type { TransactionDayRow } from '@tollgate/storage'
import type { Context } from '../context.ts'
import { narrow } from '../narrow.ts'
import { completeTo } from './complete-to.ts'
import { type DayRange, dayText } from './days.ts'
import { scopeOf } from './scope.ts'
import { transactionDayPages } from './totals.ts'

/** The traits by which transactions can be grouped. */
const groupings = {
  brand: ({ brand }) => brand,
  country: ({ country }) => country,
  acquirer: ({ acquirer }) => acquirer,
  outcome: ({ outcome }) => outcome,
  method: ({ method }) => method,
  currency: ({ currency }) => currency,
  day: ({ day }) => dayText(day),
} satisfies Record<string, (row: TransactionDayRow) => string>

type Grouping = keyof typeof groupings

export const analyticsGroupings: readonly string[] = Object.keys(groupings)

/** Whether a text is the name of a grouping. */
export const isGrouping = (name: string): name is Grouping => Object.hasOwn(groupings, name)

/**
 * The measures that transactions of a type count in. attempts: requests that an issuer or bank decides. charges:
 * amounts that are due to the merchant.
 */
const measuresOf: Readonly<Record<PaymentType, readonly Measure[]>> = {
  PA: ['attempts'],
  DB: ['attempts', 'charges'],
  RB: ['attempts', 'charges'],
  CP: ['charges'],
  RC: ['charges'],
  RF: ['refunds'],
  CB: ['chargebacks'],
  CD: [],
  RV: [],
  CR: [],
}

type Measure = 'attempts' | 'charges' | 'refunds' | 'chargebacks'

/** Counts and amounts of the approved transactions of a measure. */
interface Sum {
  count: number
  minor: number
}

interface Group {
  readonly group: string
  readonly currency: string
  readonly approved: Readonly<Record<Measure, Sum>>
  /** The number of declined attempts, by the group of the result. */
  readonly declines: Map<string, number>
}

interface AnalyticsFilter extends DayRange {
  /** An entity of any level; undefined: all. */
  readonly entityId: string | undefined
  readonly by: Grouping
}

/** Volumes and ratios of the transactions of a range of days, by a trait and by currency. */
export async function analytics(
  { storage, directory }: Pick<Context, 'storage' | 'directory'>,
  { entityId, by, ...range }: AnalyticsFilter,
) {
  const complete = await completeTo(storage)
  const groups = new Map<string, Group>()
  for await (const rows of transactionDayPages(storage, scopeOf(directory, entityId), range))
    for (const row of rows) addTo(groupOf(groups, groupings[by](row), row.currency), row)
  const sorted = [...groups.entries()].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return { completeTo: complete, by, groups: sorted.map(([, group]) => view(group)) }
}

function groupOf(groups: Map<string, Group>, group: string, currency: string): Group {
  const key = JSON.stringify([group, currency])
  const known = groups.get(key)
  if (known) return known
  const none = (): Sum => ({ count: 0, minor: 0 })
  const approved = { attempts: none(), charges: none(), refunds: none(), chargebacks: none() }
  const added: Group = { group, currency, approved, declines: new Map() }
  groups.set(key, added)
  return added
}

function addTo({ approved, declines }: Group, { type, outcome, transactions, amount_minor }: TransactionDayRow): void {
  for (const measure of measuresOf[narrow(isPaymentType, type)]) {
    if (outcome === 'ACK') {
      approved[measure].count += transactions
      approved[measure].minor += amount_minor
    } else if (measure === 'attempts') declines.set(outcome, (declines.get(outcome) ?? 0) + transactions)
  }
}

function view({ group, currency, approved: { attempts, charges, refunds, chargebacks }, declines }: Group) {
  const declined = [...declines.values()].reduce((sum, count) => sum + count, 0)
  const amountOf = ({ minor }: Sum) => (isCurrency(currency) ? formatSum(minor, currency) : null)
  return {
    group,
    currency,
    approved: attempts.count,
    declined,
    approvalRate: ratio(attempts.count, attempts.count + declined),
    declines: Object.fromEntries([...declines].toSorted(([a], [b]) => (a < b ? -1 : 1))),
    charges: charges.count,
    volume: amountOf(charges),
    refunds: refunds.count,
    refundVolume: amountOf(refunds),
    chargebacks: chargebacks.count,
    chargebackVolume: amountOf(chargebacks),
    chargebackRatio: ratio(chargebacks.count, charges.count),
  }
}

/** A ratio with four decimals, rounded half up; null if there is nothing to compare with. */
const ratio = (part: number, whole: number): string | null =>
  whole === 0 ? null : formatTenThousandths(Math.floor((part * 20_000 + whole) / (2 * whole)))

const formatTenThousandths = (number: number): string =>
  `${Math.floor(number / 10_000)}.${String(number % 10_000).padStart(4, '0')}`
