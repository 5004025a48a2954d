import {
  type AccountSums,
  availableEntries,
  businessDayOf,
  lastDueDay,
  midnightUtc,
  releaseEntries,
} from '@tollgate/domain'
import { type MerchantAccountRow, type PayoutRow, timeOf, TRANSACTIONS } from '@tollgate/storage'
import { clearedConnectors, cutOffOf } from '../acquirer/clearing-of.ts'
import type { BackgroundTask } from '../background-task.ts'
import type { Context } from '../context.ts'
import { errorFields } from '../error-fields.ts'
import { accountEntryId } from '../ledger/entry-ids.ts'
import { limits } from '../limits.ts'
import { accountEntryRows, accountSums, type NewEntry } from './account-entry-rows.ts'
import { changeAccount } from './change-account.ts'
import { payoutEntry } from './payout-state.ts'
import { scheduledDayOf, scheduledPayouts } from './scheduled-payouts.ts'
import { readMerchantTerms, type TermsFinder } from './valid-terms.ts'

type Dependencies = Pick<Context, 'storage' | 'directory' | 'acquirers' | 'clock' | 'ids' | 'log'>

/** The merchants whose accounts remain to be updated, after the end of a day. */
interface Sweep {
  readonly completeDay: number
  readonly terms: TermsFinder
  readonly merchants: string[]
  /** Those whose update has failed: the next sweep repeats it. */
  readonly failed: string[]
}

/**
 * Makes pending funds available once a day: those of all business days whose value date has come, by one entry for each
 * merchant, acquirer and currency. Withholds the reserve, releases it
 * after its time, and makes the scheduled payouts.
 *
 * The entries of a merchant and the progress of its account are one unit. A process that is killed loses the unit as a
 * whole, and of two processes one writes it. An update that fails is logged and repeated by the next sweep; the
 * other merchants are updated.
 */
export function updateAccounts(dependencies: Dependencies): BackgroundTask {
  let sweep: Sweep | undefined
  let doneDay = 0
  let failed: readonly string[] = []
  return {
    name: 'accounts of merchants',
    everyMs: limits.accountsEveryMs,
    pauseMs: limits.accountsPauseMs,
    async step() {
      sweep ??= await beginSweep(dependencies, doneDay, failed)
      const merchant = sweep?.merchants.pop()
      if (sweep && merchant !== undefined) {
        await updateOrLog(dependencies, sweep, merchant)
        return 'more'
      }
      doneDay = sweep?.completeDay ?? doneDay
      failed = sweep?.failed ?? failed
      sweep = undefined
      return 'done'
    },
  }
}

/** @param failed the merchants whose update has failed in the sweep before */
async function beginSweep(
  dependencies: Dependencies,
  doneDay: number,
  failed: readonly string[],
): Promise<Sweep | undefined> {
  const completeDay = await lastCompleteDay(dependencies)
  if (completeDay === undefined || (completeDay <= doneDay && failed.length === 0)) return undefined
  const all = () => dependencies.directory.entities().filter(({ kind }) => kind === 'merchant')
  return {
    completeDay,
    terms: await readMerchantTerms(dependencies),
    merchants: completeDay <= doneDay ? [...failed] : all().map(({ id }) => id),
    failed: [],
  }
}

async function updateOrLog(dependencies: Dependencies, sweep: Sweep, merchant: string): Promise<void> {
  try {
    await updateAccount(dependencies, sweep, merchant)
  } catch (error) {
    sweep.failed.push(merchant)
    dependencies.log.error({ worker: 'accounts of merchants', merchant, ...errorFields(error) })
  }
}

/** The last business day that is complete for all acquirers, in days since 1970. */
async function lastCompleteDay({ storage, acquirers }: Dependencies): Promise<number | undefined> {
  const feed = await storage.transactionFeed(TRANSACTIONS)
  if (!feed || feed.read_before === '') return undefined
  const atMs = timeOf(feed.read_before) - limits.clearingDelayMs
  const cutOffs = clearedConnectors(acquirers).map((name) => cutOffOf(acquirers, name))
  return Math.min(...[midnightUtc, ...cutOffs].map((cutOff) => businessDayOf(cutOff, atMs) - 1))
}

async function updateAccount(dependencies: Dependencies, sweep: Sweep, merchant: string): Promise<void> {
  const { storage, clock } = dependencies
  await changeAccount(dependencies, merchant, async (from) => {
    const to = progressAfter(from, sweep)
    if (isSame(from, to)) return undefined
    const all = await accountSums(storage, merchant)
    if (all.length === 0 && from.changes === 0) return undefined
    const entries: NewEntry[] = []
    if (to.available_to > from.available_to) {
      const due = await accountSums(storage, merchant, to.available_to)
      const { reserve } = sweep.terms.ofDay(merchant, sweep.completeDay + 1)
      for (const entry of availableEntries(due, all, reserve)) {
        const id = accountEntryId(merchant, to.available_to, entry.acquirer, entry.currency)
        entries.push({ ...entry, id, merchant })
      }
    }
    if (to.released_to > from.released_to) {
      const due = await accountSums(storage, merchant, to.released_to)
      for (const entry of releaseEntries(due, all)) {
        const id = accountEntryId(merchant, to.released_to, entry.acquirer, entry.currency)
        entries.push({ ...entry, id, merchant })
      }
    }
    const sums = [...all, ...entries.map((entry) => ({ ...entry, feeMinor: 0 }))]
    const payouts = payoutsAfter(from, to, sweep, sums, clock.now())
    entries.push(...payouts.map((payout) => payoutEntry(payout, 'payout')))
    return { to, rows: { ...(await accountEntryRows(dependencies, entries)), payout: payouts } }
  })
}

/** The scheduled payouts of the day that the account reaches. */
function payoutsAfter(
  from: MerchantAccountRow,
  { merchant, paid_to: day }: MerchantAccountRow,
  { completeDay, terms }: Sweep,
  sums: readonly AccountSums[],
  nowMs: number,
): readonly PayoutRow[] {
  if (day <= from.paid_to) return []
  return scheduledPayouts(terms.ofDay(merchant, completeDay + 1), { merchant, day, nowMs }, sums)
}

/** The progress of an account when all that is due is done. */
function progressAfter(from: MerchantAccountRow, { completeDay, terms }: Sweep): MerchantAccountRow {
  const { merchant } = from
  const ofDay = (day: number) => terms.ofDay(merchant, day)
  return {
    ...from,
    available_to: lastDueDay(from.available_to, completeDay, (day) => ofDay(day).availableAfterDays),
    released_to: lastDueDay(from.released_to, completeDay, (day) => ofDay(day).reserve?.days ?? 0),
    paid_to: Math.max(from.paid_to, scheduledDayOf(terms, merchant, completeDay + 1) ?? 0),
  }
}

const isSame = (a: MerchantAccountRow, b: MerchantAccountRow): boolean =>
  a.available_to === b.available_to && a.released_to === b.released_to && a.paid_to === b.paid_to
