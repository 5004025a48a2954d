import type { BankEntryRow, MemoryDisk, PayoutRow, PostingRow } from '@tollgate/storage'
import { fail } from './violation.ts'

// The invariants of the accounts of merchants and of the bank, written without the rules of the product. They hold
// after every commit.

const CAPTURES = new Set(['charge', 'capture'])
const REVERSALS = new Set(['chargeReversal', 'captureReversal'])
const CHANGES_PENDING = new Set([...CAPTURES, ...REVERSALS, 'hold', 'release'])

/** The parts of a disk that the invariants read. */
export type AccountDisk = Pick<MemoryDisk, 'posting' | 'merchant_account' | 'payout' | 'bank_entry'>

/** Funds become available once, payouts leave and return once, and each bank entry counts once as it is explained. */
export function checkAccounts(disk: AccountDisk): void {
  checkAvailable(disk)
  checkPayouts(disk)
  checkBankEntries(disk)
}

/** The pending funds of days that are due were made available exactly once, by acquirer and currency. */
function checkAvailable(disk: AccountDisk): void {
  const pending = new Map<string, number>()
  const add = ({ merchant, acquirer, currency }: PostingRow, minor: number) => {
    const key = `${merchant} ${acquirer} ${currency}`
    pending.set(key, (pending.get(key) ?? 0) + minor)
  }
  for (const row of disk.posting.values()) {
    const { kind, amount_minor: amount, fee_minor: fee } = row
    if (kind === 'available') add(row, -amount)
    if (kind === 'availableReversal') add(row, amount)
    const isDue = row.day <= (disk.merchant_account.get(row.merchant)?.available_to ?? 0)
    if (!isDue || !CHANGES_PENDING.has(kind)) continue
    add(row, (CAPTURES.has(kind) ? amount : 0) - (REVERSALS.has(kind) ? amount : 0) - fee)
  }
  for (const [key, minor] of pending) if (minor !== 0) fail(`${minor} of ${key} has not become available, or twice`)
}

/** What a kind of entries adds to the balance of an account. */
type Signs = Readonly<Record<string, 1 | -1>>

const transit: Signs = { payout: 1, payoutCancellation: -1, payoutPaid: -1 }
const paid: Signs = { payoutPaid: 1, payoutReturn: -1 }
const reserve: Signs = { reserve: 1, reserveRelease: -1 }

/**
 * Of each merchant and currency, the payouts that are on their way are those that are instructed, and the paid ones
 * those that are confirmed; what is withheld is not negative.
 */
function checkPayouts({ posting, payout }: AccountDisk): void {
  const payouts = [...payout.values()]
  const sumOf = (state: string) =>
    sumsOf(
      payouts.filter((row) => row.state === state),
      (row: PayoutRow) => row.amount_minor,
    )
  checkSame('on their way', sumOf('instructed'), posted(posting, transit))
  checkSame('paid', sumOf('confirmed'), posted(posting, paid))
  for (const [key, minor] of posted(posting, reserve)) if (minor < 0) fail(`${minor} of ${key} is withheld`)
}

const bankSigns: Signs = {
  unmatchedCredit: 1,
  unmatchedDebit: -1,
  payoutPaid: -1,
  payoutReturn: 1,
  merchantCredit: 1,
  merchantDebit: -1,
  acquirerCredit: 1,
  acquirerDebit: -1,
  bankCharge: -1,
  bankChargeReversal: 1,
}
const suspense: Signs = { unmatchedCredit: 1, unmatchedDebit: -1 }

/** Of each currency, entries of the ledger for bank entries have the amounts of the bank that no file states. */
function checkBankEntries({ posting, bank_entry: entries }: AccountDisk): void {
  const ofBank = [...posting.values()].filter(({ transaction_id: id }) => id.startsWith('bank/'))
  const sum = (rows: readonly BankEntryRow[], minorOf: (row: BankEntryRow) => number) =>
    sumsOf(
      rows.map((row) => ({ ...row, merchant: '' })),
      minorOf,
    )
  const signed = (row: BankEntryRow) =>
    (row.direction === 'CREDIT' ? row.amount_minor : -row.amount_minor) - row.rows_minor
  const stated = ({ explanation }: BankEntryRow): number =>
    explanation === null ? 0 : (JSON.parse(explanation).netMinor ?? 0)
  const rows = [...entries.values()]
  const byCurrency = (signs: Signs) =>
    postedOf(
      ofBank.map((row) => ({ ...row, merchant: '' })),
      signs,
    )
  checkSame(
    'of the bank',
    sum(rows, (row) => signed(row) - stated(row)),
    byCurrency(bankSigns),
  )
  checkSame(
    'in suspense',
    sum(
      rows.filter(({ state }) => state === 'unmatched'),
      signed,
    ),
    byCurrency(suspense),
  )
}

const posted = (posting: MemoryDisk['posting'], signs: Signs) => postedOf([...posting.values()], signs)

const postedOf = (rows: readonly PostingRow[], signs: Signs) =>
  sumsOf(rows, ({ kind, amount_minor: minor }) => minor * (signs[kind] ?? 0))

interface Owned {
  readonly merchant: string
  readonly currency: string
}

function sumsOf<Row extends Owned>(rows: readonly Row[], minorOf: (row: Row) => number): Map<string, number> {
  const sums = new Map<string, number>()
  for (const row of rows) {
    const key = `${row.merchant} ${row.currency}`
    sums.set(key, (sums.get(key) ?? 0) + minorOf(row))
  }
  return sums
}

function checkSame(what: string, expected: ReadonlyMap<string, number>, actual: ReadonlyMap<string, number>): void {
  for (const key of new Set([...expected.keys(), ...actual.keys()]))
    if ((expected.get(key) ?? 0) !== (actual.get(key) ?? 0))
      fail(`${expected.get(key) ?? 0} of ${key} are ${what}, and the ledger has ${actual.get(key) ?? 0}`)
}
