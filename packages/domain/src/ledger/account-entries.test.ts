import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type AccountEntry, type AccountSums, availableEntries, releaseEntries } from './account-entries.ts'
import type { AccountName } from './accounts.ts'
import { balancesOf } from './balances.ts'
import { lastDueDay } from './merchant-terms.ts'
import { owedToMerchant } from './owed-to-merchant.ts'
import type { PostingKindName } from './posting-kinds.ts'

const sums = (kind: PostingKindName, amountMinor: number, changes: Partial<AccountSums> = {}): AccountSums => ({
  kind,
  acquirer: 'acme',
  currency: 'EUR',
  amountMinor,
  feeMinor: 0,
  ...changes,
})
const shown = (entries: readonly AccountEntry[]) =>
  entries.map(({ kind, acquirer, currency, amountMinor }) => `${kind} ${acquirer} ${amountMinor} ${currency}`)

describe('funds that become available', () => {
  const tenPercent = { millionths: 100_000, days: 30 }
  test.each<[due: AccountSums[], later: AccountSums[], entries: string[]]>([
    [[], [sums('charge', 9200)], []],
    [[sums('charge', 9200, { feeMinor: 125 })], [], ['available acme 9075 EUR', 'reserve acme 908 EUR']],
    [[sums('charge', 9200), sums('chargeReversal', 9200)], [], []],
    [[sums('hold', 9200, { feeMinor: 5 })], [], ['availableReversal acme 5 EUR']],
    [[sums('refund', 1000, { feeMinor: 30 }), sums('chargeback', 500)], [], []],
    [[sums('charge', 9200)], [sums('available', 9200)], []],
    // An entry that came to a day after it was due.
    [[sums('charge', 9300)], [sums('available', 9200)], ['available acme 100 EUR', 'reserve acme 10 EUR']],
    [
      [sums('charge', 9200), sums('charge', 100, { acquirer: 'north' }), sums('charge', 5, { currency: 'USD' })],
      [],
      [
        'available acme 9200 EUR',
        'reserve acme 920 EUR',
        'available north 100 EUR',
        'reserve north 10 EUR',
        'available acme 5 USD',
        'reserve acme 1 USD',
      ],
    ],
  ])('%j and later %j: %j', (due, later, entries) => {
    expect(shown(availableEntries(due, [...due, ...later], tenPercent))).toEqual(entries)
  })
  test('without a reserve nothing is withheld', () => {
    const due = [sums('charge', 9200)]
    expect(shown(availableEntries(due, due, undefined))).toEqual(['available acme 9200 EUR'])
  })
  test.each<[due: AccountSums[], later: AccountSums[], entries: string[]]>([
    [[sums('reserve', 920)], [], ['reserveRelease acme 920 EUR']],
    [[sums('reserve', 920)], [sums('reserve', 80), sums('reserveRelease', 900)], ['reserveRelease acme 20 EUR']],
    [[sums('reserve', 920)], [sums('reserveRelease', 920)], []],
  ])('of the reserve %j, and %j: %j', (due, later, entries) => {
    expect(shown(releaseEntries(due, [...due, ...later]))).toEqual(entries)
  })
})

const kind = fc.constantFrom(
  ...(['hold', 'capture', 'charge', 'captureReversal', 'chargeReversal', 'refund', 'chargeback'] as const),
)
const someSums = fc
  .record({ kind, amountMinor: fc.nat(9999), feeMinor: fc.nat(99), acquirer: fc.constantFrom('acme', 'north') })
  .map(({ kind: name, ...changes }) => sums(name, changes.amountMinor, changes))
const someDay = fc.record({
  sums: fc.array(someSums, { maxLength: 4 }),
  /** Sums that come to the day before, after it was complete. */
  stray: fc.array(someSums, { maxLength: 1 }),
  delay: fc.nat(4),
  reserve: fc.option(fc.record({ millionths: fc.nat(999_999), days: fc.integer({ min: 1, max: 5 }) })),
})

test('all that was pending becomes available once, in the order of days, and all that was withheld is released', () => {
  fc.assert(
    fc.property(fc.array(someDay, { maxLength: 12 }), (days) => {
      const ledger: { day: number; sums: AccountSums }[] = []
      const upTo = (day: number) => ledger.filter((each) => each.day <= day).map((each) => each.sums)
      const all = () => ledger.map((each) => each.sums)
      const minorOf = (account: AccountName, of = all()) => balancesOf(of).get(account) ?? 0
      const post = (day: number, entries: readonly AccountEntry[]) =>
        ledger.push(...entries.map((entry) => ({ day, sums: { ...entry, feeMinor: 0 } })))
      let [available, released] = [0, 0]
      for (let day = 1; day < days.length + 12; day += 1) {
        const { sums: ofDay = [], stray = [] } = days[day - 1] ?? {}
        ledger.push(
          ...ofDay.map((each) => ({ day, sums: each })),
          ...stray.map((each) => ({ day: day - 1, sums: each })),
        )
        const grossBefore = minorOf('merchantPending') + minorOf('merchantAvailable') + minorOf('merchantReserve')
        const due = lastDueDay(available, day, (each) => days[each - 1]?.delay ?? 2)
        expect(due).toBeGreaterThanOrEqual(available)
        if (due > available) {
          post(day + 1, availableEntries(upTo(due), all(), days[day - 1]?.reserve ?? undefined))
          const isPayment = (name: PostingKindName) => !name.startsWith('available')
          const later = ledger.filter((each) => each.day > due && isPayment(each.sums.kind)).map((each) => each.sums)
          expect(minorOf('merchantPending')).toBe(minorOf('merchantPending', later))
        }
        available = due
        const releasedTo = lastDueDay(released, day, (each) => days[each - 2]?.reserve?.days ?? 0)
        if (releasedTo > released) post(day + 1, releaseEntries(upTo(releasedTo), all()))
        released = releasedTo
        const gross = minorOf('merchantPending') + minorOf('merchantAvailable') + minorOf('merchantReserve')
        expect(gross).toBe(grossBefore)
        expect(minorOf('merchantReserve')).toBeLessThanOrEqual(0)
      }
      expect([minorOf('merchantPending'), minorOf('merchantReserve')]).toEqual([0, 0])
      const payments = days.flatMap((each) => [...each.sums, ...each.stray])
      const owed = payments.reduce((sum, each) => {
        const { grossMinor, feeMinor } = owedToMerchant(each)
        return sum + grossMinor - feeMinor
      }, 0)
      expect(minorOf('merchantAvailable') + owed).toBe(0)
      expect([...balancesOf(all()).values()].reduce((sum, minor) => sum + minor, 0)).toBe(0)
    }),
  )
})
