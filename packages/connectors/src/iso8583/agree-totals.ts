import { currencies, DAY_MS, isCurrency } from '@tollgate/contract'
import { areEqualAfterReversals, type BatchTotals, type ItemTotal, netMinorOf } from '@tollgate/domain'
import type { LinkOutcome } from '@tollgate/iso8583'
import type { ClearingVerdict, DayTotals } from '../port.ts'
import type { IsoFields, IsoMessage } from './answer.ts'
import type { AcquirerProfile } from './profile.ts'
import { localTime, type Trace, transmissionTime } from './trace.ts'

/** The processing code of a reconciliation (field 3). */
const RECONCILIATION = '920000'
/** Field 66: the totals are equal. */
const IN_BALANCE = '1'

interface Host {
  readonly send: (message: IsoMessage) => Promise<LinkOutcome<IsoFields>>
  readonly nextTrace: () => Promise<Trace | undefined>
}

/**
 * Agrees the totals of a business day with the host by 0500 (domain notes, 2.1: batch close). If the host has other
 * totals that differ only by reversed messages, its totals are confirmed: it also counts requests whose answers were
 * lost.
 */
export async function agreeTotals(host: Host, profile: AcquirerProfile, day: DayTotals): Promise<ClearingVerdict> {
  const first = await compare(host, profile, day)
  if (first.kind !== 'differs' || !areEqualAfterReversals(first.totals, day.totals)) return first
  const second = await compare(host, profile, { ...day, totals: first.totals })
  return second.kind === 'differs' ? first : second
}

async function compare(host: Host, profile: AcquirerProfile, day: DayTotals): Promise<ClearingVerdict> {
  const trace = await host.nextTrace()
  if (!trace) return { kind: 'unknown' }
  const outcome = await host.send(reconciliationMessage(profile, trace, day))
  if (outcome.kind !== 'answer') return { kind: 'unknown' }
  const { fields } = outcome.message
  if (fields[66] === IN_BALANCE) return { kind: 'agreed' }
  const totals = totalsIn(fields)
  return totals ? { kind: 'differs', totals } : { kind: 'unknown' }
}

function reconciliationMessage(
  profile: AcquirerProfile,
  trace: Trace,
  { day, currency, totals }: DayTotals,
): IsoMessage {
  const local = localTime(trace, profile.timeZone)
  const { credits, creditReversals, debits, debitReversals } = totals
  return {
    type: '0500',
    fields: {
      3: RECONCILIATION,
      7: transmissionTime(trace),
      11: trace.stan,
      12: local.time,
      13: local.date,
      15: monthAndDayOf(day),
      32: profile.acquirerId,
      42: profile.merchantId,
      50: isCurrency(currency) ? currencies[currency].numeric : currency,
      74: String(credits.count),
      75: String(creditReversals.count),
      76: String(debits.count),
      77: String(debitReversals.count),
      86: String(credits.amountMinor),
      87: String(creditReversals.amountMinor),
      88: String(debits.amountMinor),
      89: String(debitReversals.amountMinor),
      97: netText(-netMinorOf(totals)),
    },
  }
}

const monthAndDayOf = (day: number): string => new Date(day * DAY_MS).toISOString().slice(5, 10).replace('-', '')

/** C for credit, D for debit, then 16 digits. */
const netText = (netMinor: number): string =>
  `${netMinor < 0 ? 'D' : 'C'}${String(Math.abs(netMinor)).padStart(16, '0')}`

/** The totals of the host in its answer; undefined if one is missing. */
function totalsIn(fields: IsoMessage['fields']): BatchTotals | undefined {
  const total = (count: string | undefined, amount: string | undefined): ItemTotal | undefined =>
    count === undefined || amount === undefined ? undefined : { count: Number(count), amountMinor: Number(amount) }
  const credits = total(fields[74], fields[86])
  const creditReversals = total(fields[75], fields[87])
  const debits = total(fields[76], fields[88])
  const debitReversals = total(fields[77], fields[89])
  if (!credits || !creditReversals || !debits || !debitReversals) return undefined
  return { credits, creditReversals, debits, debitReversals }
}
