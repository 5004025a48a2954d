import { setImmediate as nextTurn } from 'node:timers/promises'
import type { TransactionRow } from '@tollgate/storage'
import type { Context } from '../context.ts'

type Reads = Pick<Context['storage'], 'rootsFrom' | 'childrenFrom'>

/** The transactions with ids from `start` up to `end`, at most `max`: the first. */
interface TransactionRange {
  readonly start: string
  readonly end: string
  readonly max: number
}

type Transactions = readonly TransactionRow[]

/** Reads ranges of transactions, and one ahead of its use. */
export interface RangeReader {
  read(range: TransactionRange): Promise<Transactions>
  /**
   * Reads the range that is expected next, while the unit that was just passed to the storage is being committed. Its
   * transactions may be changed before they are used: then they are late.
   */
  readAhead(range: TransactionRange): void
}

export function createRangeReader(storage: Reads): RangeReader {
  let ahead: { readonly range: TransactionRange; readonly transactions: Promise<Transactions> } | undefined
  return {
    read(range) {
      const expected = ahead
      ahead = undefined
      return expected && isSame(expected.range, range) ? expected.transactions : readRange(storage, range)
    },
    readAhead(range) {
      const transactions = nextTurn().then(() => readRange(storage, range))
      // The failure is that of the read which uses the transactions.
      transactions.catch(() => undefined)
      ahead = { range, transactions }
    },
  }
}

const isSame = (a: TransactionRange, b: TransactionRange): boolean =>
  a.start === b.start && a.end === b.end && a.max === b.max

async function readRange(storage: Reads, { start, end, max }: TransactionRange): Promise<Transactions> {
  const [roots, children] = await Promise.all([
    storage.rootsFrom(start, end, max),
    storage.childrenFrom(start, end, max),
  ])
  return [...roots, ...children].toSorted((a, b) => (a.id < b.id ? -1 : 1)).slice(0, max)
}
