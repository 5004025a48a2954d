import { successCode } from '@tollgate/domain'
import { describe, expect, test } from 'vitest'
import {
  type Books,
  changeOfBooks,
  type ConformanceAdapter,
  faultRows,
  faultsOf,
  followUpOf,
  ifBooks,
  pay,
  paymentOf,
  type Running,
} from './adapter.ts'
import { reverse, send, sendWhenReachable } from './connector-session.ts'

interface FollowUpRow {
  readonly name: string
  readonly first: 'PA' | 'DB'
  readonly operation: 'PA' | 'CP' | 'RV' | 'RF'
  readonly amountMinor: number
  /** What payment and follow-up change together. */
  readonly change: Books
}

const row = (
  name: string,
  [first, operation]: readonly ['PA' | 'DB', FollowUpRow['operation']],
  amountMinor: number,
  [heldMinor, takenMinor]: readonly [number, number],
): FollowUpRow => ({ name, first, operation, amountMinor, change: { heldMinor, takenMinor } })

const rows: readonly FollowUpRow[] = [
  row('a capture', ['PA', 'CP'], 9200, [0, 9200]),
  row('a capture of a part', ['PA', 'CP'], 4000, [5200, 4000]),
  row('a reversal', ['PA', 'RV'], 9200, [0, 0]),
  row('a reversal of a part', ['PA', 'RV'], 3200, [6000, 0]),
  row('a reversal of a debit', ['DB', 'RV'], 9200, [0, 0]),
  row('a refund', ['DB', 'RF'], 9200, [0, 0]),
  row('a refund of a part', ['DB', 'RF'], 2000, [0, 7200]),
  row('an increase', ['PA', 'PA'], 800, [10_000, 0]),
]

/** Tests of captures, reversals, refunds and increases. */
export function followUpTests(adapter: ConformanceAdapter, running: () => Running): void {
  const supported = rows.filter(({ first, operation }) => {
    return adapter.begins.includes(first) && adapter.follows.includes(operation)
  })

  describe('a request that refers to a payment', () => {
    test.each(supported)('$name of 92.00 ($first) is approved', async ({ first, operation, amountMinor, change }) => {
      const changed = await changeOfBooks(running(), async () => {
        const sent = await pay(running(), paymentOf(adapter, { operation: first }))
        const request = followUpOf(adapter, running(), sent, operation, amountMinor)
        const { reply } = await send(running().connector, request)
        expect(reply).toMatchObject({ status: 'approved', code: successCode(request.testMode), amountMinor })
      })
      expect(changed).toEqual(ifBooks(running(), change))
    })

    test.runIf(adapter.withoutFaults !== 'local')('is declined above the amount of its payment', async () => {
      const hold = await pay(running(), paymentOf(adapter, { operation: 'PA' }))
      await send(running().connector, followUpOf(adapter, running(), hold, 'CP', 9200))
      const { reply } = await send(running().connector, followUpOf(adapter, running(), hold, 'CP', 9200))
      expect(reply).toMatchObject({ status: 'declined', amountMinor: 0 })
    })

    test.each(faultRows(faultsOf(adapter, 'notSent')))('is not sent with the fault %s: %s', async (fault) => {
      const sent = await pay(running(), paymentOf(adapter, { operation: 'PA' }))
      await running().setFault?.(fault)
      const { reply } = await send(running().connector, followUpOf(adapter, running(), sent, 'CP', 9200))
      expect(reply.status).toBe('notSent')
      await running().setFault?.(undefined)
      await sendWhenReachable(running().connector, () => paymentOf(adapter))
    })

    test.each(faultRows(faultsOf(adapter, 'unknown')))('is carried out once or not at all: %s', async (fault) => {
      const expected: Books[] = []
      const changed = await changeOfBooks(running(), async () => {
        const hold = await pay(running(), paymentOf(adapter, { operation: 'PA' }))
        await running().setFault?.(fault)
        const capture = await send(running().connector, followUpOf(adapter, running(), hold, 'CP', 9200))
        expect(capture.reply).toEqual({ status: 'unknown' })
        await running().setFault?.(undefined)
        const outcome = await reverse(running().connector, capture)
        expect(outcome.kind).not.toBe('unknown')
        const isDone = outcome.kind === 'done' && outcome.answer.status === 'approved'
        expected.push(isDone ? { heldMinor: 0, takenMinor: 9200 } : { heldMinor: 9200, takenMinor: 0 })
      })
      expect(changed && [changed]).toEqual(running().books && expected)
    })
  })
}
