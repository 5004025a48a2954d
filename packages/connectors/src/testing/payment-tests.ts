import { outcomeOf } from '@tollgate/contract'
import { successCode } from '@tollgate/domain'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  type Books,
  changeOfBooks,
  type ConformanceAdapter,
  ifBooks,
  nothing,
  pay,
  paymentOf,
  type Running,
} from './adapter.ts'
import { referencesIn, reverse, sendWhenReachable } from './connector-session.ts'
import { sampleRequest } from './sample-requests.ts'

/** What each operation that begins a payment of 92.00 changes. Credits are not refunds of a payment. */
const changes: Readonly<Record<'PA' | 'DB', Books>> = {
  PA: { heldMinor: 9200, takenMinor: 0 },
  DB: { heldMinor: 0, takenMinor: 9200 },
}

/** Tests of payments without faults. */
export function paymentTests(adapter: ConformanceAdapter, running: () => Running): void {
  describe('a payment', () => {
    beforeAll(async () => {
      // A connection may be opened while the first requests are sent.
      await sendWhenReachable(running().connector, () => paymentOf(adapter))
    })

    test.each(adapter.begins)('%s is approved, with references of its own', async (operation) => {
      const request = paymentOf(adapter, { operation })
      let references: readonly string[] = []
      const change = await changeOfBooks(running(), async () => {
        const { reply } = await pay(running(), request)
        expect(reply).toMatchObject({ status: 'approved', code: successCode(request.testMode), amountMinor: 9200 })
        references = referencesIn(reply)
      })
      if (operation !== 'CD') expect(change).toEqual(ifBooks(running(), changes[operation]))
      const other = await pay(running(), paymentOf(adapter, { operation }))
      expect(references).not.toEqual([])
      expect(referencesIn(other.reply)[0]).not.toBe(references[0])
    })

    test('is declined by its issuer, and takes nothing', async () => {
      const { changes: declined, code } = adapter.declined
      const change = await changeOfBooks(running(), async () => {
        const { reply } = await pay(running(), paymentOf(adapter, declined()))
        expect(reply).toMatchObject({ status: 'declined', code, amountMinor: 0 })
      })
      expect(outcomeOf(code)).toBe('rejected')
      expect(change).toEqual(ifBooks(running(), nothing))
    })

    const { partial } = adapter
    if (typeof partial === 'string') return

    test('is approved in part if the merchant accepts it', async () => {
      const request = sampleRequest({ ...partial.changes(), partialApproval: true })
      const change = await changeOfBooks(running(), async () => {
        const { reply } = await pay(running(), request)
        expect(reply).toMatchObject({
          status: 'approved',
          code: '000.000.001',
          amountMinor: partial.approvedMinor,
        })
      })
      expect(change).toEqual(ifBooks(running(), { heldMinor: 0, takenMinor: partial.approvedMinor }))
    })

    test('of which a part is approved is declined and reversed if the merchant accepts no part', async () => {
      const change = await changeOfBooks(running(), async () => {
        const sent = await pay(running(), sampleRequest(partial.changes()))
        const answer = sent.reply.status === 'toReverse' ? sent.reply.answer : sent.reply
        expect(answer).toMatchObject({ status: 'declined', code: '800.100.155', amountMinor: 0 })
        if (sent.reply.status === 'toReverse')
          expect(await reverse(running().connector, sent)).toMatchObject({ kind: 'reversed' })
      })
      expect(change).toEqual(ifBooks(running(), nothing))
    })
  })
}
