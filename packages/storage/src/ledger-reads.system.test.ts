import { expect, test } from 'vitest'
import { describeDialects } from './testing/each-dialect.ts'
import { ledgerDay, posting } from './testing/sample-rows.ts'

const { merchant } = ledgerDay()

describeDialects((dialect) => {
  test('the journal of a merchant is read in pages, in the order of day, transaction and kind', async () => {
    const late = posting('p1', { kind: 'expiry', day: 12 })
    const rows = [
      posting('p9', { day: 10 }),
      posting('p2', { day: 11 }),
      posting('p2', { kind: 'refund', day: 11 }),
      posting('p3', { day: 11 }),
      late,
    ]
    const others = [posting('p4', { day: 11, merchant: 'other' }), posting('p5', { day: 13 })]
    await dialect.commit({ rows: { posting: [...others, ...rows.toReversed()] } })
    const read: (typeof late)[] = []
    for (let [day, id, kind] = [10, '', '']; ; ) {
      const page = await dialect.storage.postingsAfter(merchant, day, id, kind, 12, 2)
      read.push(...page)
      const last = page.at(-1)
      if (page.length < 2 || !last) break
      ;[day, id, kind] = [last.day, last.transaction_id, last.kind]
    }
    expect(read).toEqual(rows)
  })

  test('the sums of a ledger are those of all days up to one', async () => {
    await dialect.commit({
      rows: {
        ledger_day: [
          ledgerDay({ day: 10 }),
          ledgerDay({ day: 11, amount_minor: -200, fee_minor: 5 }),
          ledgerDay({ day: 11, currency: 'JPY' }),
          ledgerDay({ day: 12 }),
          ledgerDay({ day: 11, merchant: 'other' }),
        ],
      },
    })
    const sums = await dialect.storage.ledgerSums(merchant, 11)
    const common = { acquirer: 'acme', kind: 'capture' }
    expect(sums.toSorted((a, b) => (a.currency < b.currency ? -1 : 1))).toEqual([
      { ...common, currency: 'EUR', postings: 2, amount_minor: 9000, fee_minor: 125 },
      { ...common, currency: 'JPY', postings: 1, amount_minor: 9200, fee_minor: 120 },
    ])
    expect(await dialect.storage.ledgerSums(merchant, 9)).toEqual([])
  })
})
