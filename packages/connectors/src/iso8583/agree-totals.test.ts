import { DAY_MS } from '@tollgate/contract'
import type { BatchTotals } from '@tollgate/domain'
import { expect, test } from 'vitest'
import { agreeTotals } from './agree-totals.ts'
import type { IsoMessage } from './answer.ts'
import { profile, trace } from './requests/testing/requests.ts'

const total = (count: number, amountMinor: number) => ({ count, amountMinor })
const totals: BatchTotals = {
  credits: total(1, 1000),
  creditReversals: total(0, 0),
  debits: total(2, 15_200),
  debitReversals: total(0, 0),
}
const day = { day: Date.UTC(2026, 10, 20) / DAY_MS, currency: 'EUR', totals }

/** A host that answers in balance exactly if the message has these totals. @returns the messages that it received */
function hostWith(own: BatchTotals, fields: (received: IsoMessage) => IsoMessage['fields'] = () => ({})) {
  const received: IsoMessage[] = []
  let number = 0
  const isEqual = ({ fields: sent }: IsoMessage): boolean =>
    [sent[74], sent[75], sent[76], sent[77]].join() ===
      [own.credits, own.creditReversals, own.debits, own.debitReversals].map(({ count }) => String(count)).join() &&
    [sent[86], sent[87], sent[88], sent[89]].join() ===
      [own.credits, own.creditReversals, own.debits, own.debitReversals].map((each) => String(each.amountMinor)).join()
  const host = {
    nextTrace: async () => trace('2026-11-21T01:00:00Z', String((number += 1)).padStart(6, '0')),
    async send(message: IsoMessage) {
      received.push(message)
      const answer: IsoMessage = {
        type: '0510',
        fields: {
          39: isEqual(message) ? '00' : '95',
          66: isEqual(message) ? '1' : '2',
          74: String(own.credits.count).padStart(10, '0'),
          75: String(own.creditReversals.count),
          76: String(own.debits.count),
          77: String(own.debitReversals.count),
          86: String(own.credits.amountMinor).padStart(16, '0'),
          87: String(own.creditReversals.amountMinor),
          88: String(own.debits.amountMinor),
          89: String(own.debitReversals.amountMinor),
          ...fields(message),
        },
      }
      return { kind: 'answer' as const, message: answer }
    },
  }
  return { host, received }
}

test('the message has the totals of the day and names it', async () => {
  const { host, received } = hostWith(totals)
  expect(await agreeTotals(host, profile, day)).toEqual({ kind: 'agreed' })
  expect(received).toEqual([
    {
      type: '0500',
      fields: {
        3: '920000',
        7: '1121010000',
        11: '000001',
        12: '020000',
        13: '1121',
        15: '1120',
        32: '400123',
        42: 'MERCHANT0000001',
        50: '978',
        74: '1',
        75: '0',
        76: '2',
        77: '0',
        86: '1000',
        87: '0',
        88: '15200',
        89: '0',
        97: 'D0000000000014200',
      },
    },
  ])
})

test('totals of the host that contain reversed requests are confirmed', async () => {
  const { host, received } = hostWith({ ...totals, debits: total(3, 24_400), debitReversals: total(1, 9200) })
  expect(await agreeTotals(host, profile, day)).toEqual({ kind: 'agreed' })
  expect(received.map(({ fields }) => [fields[11], fields[76], fields[77], fields[97]])).toEqual([
    ['000001', '2', '0', 'D0000000000014200'],
    ['000002', '3', '1', 'D0000000000014200'],
  ])
})

test('other totals are returned', async () => {
  const own = { ...totals, credits: total(2, 1500) }
  const { host, received } = hostWith(own)
  expect(await agreeTotals(host, profile, day)).toEqual({ kind: 'differs', totals: own })
  expect(received.length).toBe(1)
})

test('an answer without totals, no answer and no trace number say nothing', async () => {
  const other = { ...totals, credits: total(2, 1500) }
  const { host } = hostWith(other, () => ({ 74: undefined }))
  expect(await agreeTotals(host, profile, day)).toEqual({ kind: 'unknown' })
  expect(await agreeTotals({ ...host, send: async () => ({ kind: 'unknown' }) }, profile, day)).toEqual({
    kind: 'unknown',
  })
  expect(await agreeTotals({ ...host, nextTrace: async () => undefined }, profile, day)).toEqual({ kind: 'unknown' })
})

test('a net amount of the merchant is a credit', async () => {
  const credits = { ...totals, debits: total(0, 0) }
  const { host, received } = hostWith(credits)
  await agreeTotals(host, profile, { ...day, totals: credits })
  expect(received[0]?.fields[97]).toBe('C0000000000001000')
})
