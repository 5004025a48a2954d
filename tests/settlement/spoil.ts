import { maskCardNumbers } from '@tollgate/contract'
import type { SettlementRow } from '@tollgate/domain'
import type { Random } from '../support/random.ts'
import { type Happened, isCharge, type Transaction } from './transactions.ts'

/** What a row must be matched with, by the transaction that the acquirer means. */
export type Expected =
  | { readonly status: 'MATCHED'; readonly ids: readonly [string] | readonly [] }
  | { readonly status: 'MULTIPLE_MATCHES'; readonly ids: readonly string[] }
  | { readonly status: 'NOT_MATCHED'; readonly reason: string }

/** A row of a file, with its only correct result. */
export interface ExpectedRow {
  readonly row: SettlementRow
  readonly expected: Expected
  /** The name of the fault. */
  readonly fault?: string
  /** The transaction that the acquirer means; undefined for a fee of the merchant, and for a row that means none. */
  readonly means: Transaction | undefined
}

/** Rows that replace a row: in its file, and in the file of the next day. */
interface Replacement {
  readonly now: readonly ExpectedRow[]
  readonly later?: readonly ExpectedRow[]
}

const matched = (row: SettlementRow, means: Transaction): ExpectedRow => ({
  row,
  means,
  expected: { status: 'MATCHED', ids: [means.id] },
})

const notMatched = (row: SettlementRow, reason: string, means?: Transaction): ExpectedRow => ({
  row,
  means,
  expected: { status: 'NOT_MATCHED', reason },
})

/** The rows that are a fault of an acquirer, or lack references; undefined: the fault does not apply to the row. */
type Fault = (row: SettlementRow, means: Transaction, happened: Happened) => Replacement | undefined

/** A row without references, account data and approval code. */
const bare = (row: SettlementRow): SettlementRow => ({
  ...row,
  connectorTxId1: undefined,
  connectorTxId2: undefined,
  connectorTxId3: undefined,
  approvalCode: undefined,
  networkTransactionId: undefined,
  clearingSequence: undefined,
  terminalId: undefined,
  descriptor: undefined,
  bin: undefined,
  last4: undefined,
})

const one = (row: ExpectedRow): Replacement => ({ now: [row] })

/** The time within which transactions are too close to be told apart: "nearest time if gap > 60 s to the next". */
const CLOSE_MS = 60_000

/** Transactions with type and amount of another, and its payment or merchantTransactionId. */
const twinsOf = ({ transactions }: Happened, { id, rootId, type, amountMinor, merchantTransactionId }: Transaction) =>
  transactions.filter(
    (other) =>
      other.id !== id &&
      other.status === 'approved' &&
      other.type === type &&
      other.amountMinor === amountMinor &&
      (other.rootId === rootId || other.merchantTransactionId === merchantTransactionId),
  )

/** Whether a descriptor shows an id whole: digits in it that could be a card number are masked. */
const isPrintedWhole = (id: string): boolean => maskCardNumbers(id) === id

/** Faults of rows, and rows with a part of their references. */
export const faults = {
  repeated: (row, means) => ({ now: [matched(row, means), notMatched(row, 'alreadyMatched', means)] }),
  repeatedLater: (row, means) => ({ now: [matched(row, means)], later: [notMatched(row, 'alreadyMatched', means)] }),
  late: (row, means) => ({ now: [], later: [matched(row, means)] }),
  missing: () => ({ now: [] }),
  failed: (row, means) => ({ now: [matched({ ...row, status: 'FAILED' }, means)], later: [matched(row, means)] }),
  wrongAmount: (row, means) => {
    const amounts = { amountMinor: row.amountMinor + 1, settlementAmountMinor: row.settlementAmountMinor + 1 }
    return one(notMatched({ ...row, ...amounts }, 'amountDiffers', means))
  },
  unknown: (row, means) => {
    const unknown = {
      ...bare(row),
      connectorTxId1: '999999999999',
      last4: '0001',
      amountMinor: 1,
      settlementAmountMinor: 1,
    }
    return {
      now: [matched(row, means), notMatched({ ...unknown, feeMinor: undefined, fxRate: row.fxRate }, 'noTransaction')],
    }
  },
  // With other references, the row could mean a refund of the whole amount.
  otherType: (row, means) => {
    const { connectorTxId1 } = row
    const refund = { ...bare(row), connectorTxId1, type: 'REFUND', cashflow: 'NEG', feeMinor: undefined } as const
    return row.type === 'DEBIT' ? one(notMatched(refund, 'otherType', means)) : undefined
  },
  otherCurrency: (row, means) =>
    row.currency === 'EUR'
      ? one(notMatched({ ...row, currency: 'NOK', settlementCurrency: 'NOK' }, 'otherCurrency', means))
      : undefined,
  tooOld: (row, means) =>
    one(notMatched({ ...row, presentedAtMs: (row.presentedAtMs ?? 0) + 60 * 86_400_000 }, 'outsideDates', means)),
  otherMerchant: (row, means) =>
    one(notMatched({ ...row, clearingMerchantId: 'UNKNOWN00000001' }, 'noTransaction', means)),
  byTransactionId: (row, means) => one(matched({ ...bare(row), uniqueId: means.id }, means)),
  byPaymentId: (row, means, happened) =>
    twinsOf(happened, means).length === 0 && isPrintedWhole(means.rootId)
      ? one(matched({ ...bare(row), descriptor: means.rootId }, means))
      : undefined,
  byName: (row, means, happened) => {
    const { merchantTransactionId } = means
    const isAlone = twinsOf(happened, means).length === 0 && isCharge(means)
    return isAlone ? one(matched({ ...bare(row), merchantTransactionId }, means)) : undefined
  },
  byNetworkId: (row, means) => {
    const { networkTransactionId, clearingSequence } = row
    const isKnown = networkTransactionId !== undefined && isCharge(means)
    return isKnown ? one(matched({ ...bare(row), networkTransactionId, clearingSequence }, means)) : undefined
  },
  byAccountAndApproval: (row, means, happened) => {
    const { bin, last4, approvalCode } = row
    const isKnown = bin !== undefined && approvalCode !== undefined && twinsOf(happened, means).length === 0
    return isKnown && isCharge(means) ? one(matched({ ...bare(row), bin, last4, approvalCode }, means)) : undefined
  },
  byAccountAndDay: (row, means, happened) =>
    twinsOf(happened, means).length === 0 && isCharge(means)
      ? one(matched({ ...bare(row), last4: row.last4 }, means))
      : undefined,
} as const satisfies Readonly<Record<string, Fault>>

export type FaultName = keyof typeof faults
const names = Object.keys(faults).filter((name): name is FaultName => Object.hasOwn(faults, name))

/** A row of which the references belong to another transaction as well. */
const ambiguous = (row: SettlementRow, means: Transaction, twin: Transaction): ExpectedRow => ({
  row,
  means,
  expected: { status: 'MULTIPLE_MATCHES', ids: [means.id, twin.id].toSorted() },
})

/** A reference that twins share. */
const sharedBy = ({ rootId, merchantTransactionId }: Transaction, twin: Transaction): Partial<SettlementRow> =>
  rootId === twin.rootId ? { descriptor: rootId } : { merchantTransactionId }

/** The rows of a file with faults, and the rows for the next file. */
export interface Spoiled {
  readonly now: readonly ExpectedRow[]
  readonly later: readonly ExpectedRow[]
  /** The number of rows with each fault. */
  readonly counts: ReadonlyMap<string, number>
}

/**
 * Adds faults to a part of the rows of a file.
 *
 * @param share the share of settled rows that get a fault
 */
export function spoil(
  rows: readonly ExpectedRow[],
  { random, share, happened }: { readonly random: Random; readonly share: number; readonly happened: Happened },
): Spoiled {
  const [now, later]: [ExpectedRow[], ExpectedRow[]] = [[], []]
  const counts = new Map<string, number>()
  const count = (name: string) => counts.set(name, (counts.get(name) ?? 0) + 1)
  /** Whether the rows of close twins have only what both share. */
  const withoutDistinction = new Map<string, boolean>()
  for (const each of rows) {
    const { row, means } = each
    const twins = row.kind === 'SETTLED' && means ? twinsOf(happened, means) : []
    const close = twins.find(({ atMs }) => Math.abs(atMs - (means?.atMs ?? 0)) <= CLOSE_MS)
    if (means && close) {
      const key = [means.id, close.id].toSorted().join()
      const areBare = withoutDistinction.get(key) ?? (random.chance(0.5) && isPrintedWhole(means.rootId))
      withoutDistinction.set(key, areBare)
      if (areBare) count('ambiguous')
      now.push(areBare ? ambiguous({ ...bare(row), ...sharedBy(means, close) }, means, close) : each)
      continue
    }
    const name = row.kind === 'SETTLED' && means && random.chance(share) ? random.pick(names) : undefined
    const replacement = name && means && faults[name](row, means, happened)
    if (name && replacement) count(name)
    const named = (all: readonly ExpectedRow[]) => all.map((faulty) => ({ ...faulty, fault: name ?? '' }))
    now.push(...named(replacement?.now ?? [each]))
    later.push(...named(replacement && 'later' in replacement ? (replacement.later ?? []) : []))
  }
  return { now, later, counts }
}
