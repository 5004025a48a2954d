import { setTimeout } from 'node:timers/promises'
import { outcomeOf } from '@tollgate/contract'
import { afterEach, describe, expect, test } from 'vitest'
import {
  type Books,
  changeOfBooks,
  type ConformanceAdapter,
  faultRows,
  faultsOf,
  ifBooks,
  nothing,
  pay,
  paymentOf,
  type Running,
} from './adapter.ts'
import {
  attemptOf,
  inquire,
  referencesIn,
  reverse,
  reverseOnce,
  send,
  sendWhenReachable,
  type Sent,
} from './connector-session.ts'
import { type FaultName, lateMs } from './faults.ts'

/** Time after which a late request or answer has arrived. */
const arrivedMs = lateMs + 500

/** Whether the counterpart processes a request, although its answer has the fault. */
const isProcessed = (fault: FaultName): boolean => fault !== 'refused' && fault !== 'requestLost'

const isLate = (fault: FaultName): boolean => fault === 'requestLate' || fault === 'answerLate'

/** Tests of payments, inquiries and reversals while the counterpart has faults. */
export function faultTests(adapter: ConformanceAdapter, running: () => Running): void {
  const setFault = async (fault: FaultName | undefined): Promise<void> => running().setFault?.(fault)

  afterEach(() => running().setFault?.(undefined))

  /**
   * Reverses a request without an answer, twice, and expects both times that nothing is left of it, also of a request
   * that arrives after its reversal.
   */
  async function expectReversed(sent: Sent, fault: FaultName, before: Books | undefined): Promise<void> {
    const { connector, books } = running()
    const attempt = await attemptOf(connector, sent)
    expect(await reverse(connector, sent, attempt)).toMatchObject({ kind: 'reversed' })
    if (isLate(fault)) await setTimeout(arrivedMs)
    expect(await books?.()).toEqual(before)
    const again = attempt && { ...attempt, isRepeat: true }
    expect(await reverse(connector, sent, again)).toMatchObject({ kind: 'reversed' })
    expect(await books?.()).toEqual(before)
  }

  /** Expects that the connector works again after a fault. */
  async function expectWorking(): Promise<void> {
    await sendWhenReachable(running().connector, () => paymentOf(adapter))
    const { reply } = await pay(running(), paymentOf(adapter))
    expect(reply.status).toBe('approved')
  }

  if (adapter.withoutFaults === 'local') return

  describe('with a fault of the counterpart', () => {
    test.each(faultRows(faultsOf(adapter, 'notSent')))('a payment is not sent (%s): %s', async (fault) => {
      const change = await changeOfBooks(running(), async () => {
        await setFault(fault)
        const { reply } = await send(running().connector, paymentOf(adapter))
        expect(reply).toEqual({ status: 'notSent', reason: expect.stringMatching(/./) })
        await setFault(undefined)
      })
      expect(change).toEqual(ifBooks(running(), nothing))
      await expectWorking()
    })

    test.each(faultRows(faultsOf(adapter, 'unknown')))(
      'a payment is unknown, and is reversed (%s): %s',
      async (fault) => {
        const before = await running().books?.()
        await setFault(fault)
        const sent = await send(running().connector, paymentOf(adapter))
        expect(sent.reply).toEqual({ status: 'unknown' })
        await setFault(undefined)
        await expectReversed(sent, fault, before)
        await expectWorking()
      },
    )

    test.each(faultRows(faultsOf(adapter, 'noSuccess')))('a payment is no success (%s): %s', async (fault) => {
      const before = await running().books?.()
      await setFault(fault)
      const sent = await pay(running(), paymentOf(adapter))
      await setFault(undefined)
      const isApproved = sent.reply.status === 'approved'
      expect(isApproved && outcomeOf(sent.reply.code) === 'success').toBe(false)
      if (sent.reply.status === 'unknown') await expectReversed(sent, fault, before)
      await expectWorking()
    })

    test.each(faultRows(faultsOf(adapter, 'approved')))('payments are approved once (%s): %s', async (fault) => {
      await setFault(fault)
      const change = await changeOfBooks(running(), async () => {
        const replies = [await pay(running(), paymentOf(adapter)), await pay(running(), paymentOf(adapter))]
        expect(replies.map(({ reply }) => reply.status)).toEqual(['approved', 'approved'])
        expect(new Set(replies.map(({ reply }) => referencesIn(reply)[0])).size).toBe(2)
      })
      expect(change).toEqual(ifBooks(running(), { heldMinor: 0, takenMinor: 18_400 }))
    })

    // A late answer to a reversal changes nothing; it is tested above.
    const forReversals = faultsOf(adapter, 'notSent', 'unknown').filter((name) => !isLate(name))

    test.each(faultRows(forReversals))('a reversal is repeated until it is answered (%s): %s', async (fault) => {
      const change = await changeOfBooks(running(), async () => {
        await setFault('closed')
        const sent = await send(running().connector, paymentOf(adapter))
        await setFault(fault)
        const attempt = await attemptOf(running().connector, sent)
        const first = await reverseOnce(running().connector, sent, attempt)
        // After a processed reversal, the protocol decides whether a damaged answer is enough for an outcome.
        expect(isProcessed(fault) ? ['unknown', 'reversed'] : ['unknown']).toContain(first.kind)
        await setFault(undefined)
        expect(await reverse(running().connector, sent, attempt && { ...attempt, isRepeat: true })).toMatchObject({
          kind: 'reversed',
        })
      })
      expect(change).toEqual(ifBooks(running(), nothing))
    })
  })

  if (!adapter.methods.includes('inquire')) return

  describe('an inquiry', () => {
    const names = faultsOf(adapter, 'notSent', 'unknown').filter((name) => !isLate(name))
    test.each(faultRows(names))('has no result (%s): %s; the next one has', async (fault) => {
      const { connector, confirm } = running()
      const sent = await send(connector, paymentOf(adapter))
      expect(sent.reply.status).toBe('pending')
      await confirm?.(sent)
      await setFault(fault)
      expect((await inquire(connector, sent)).status).toBe(fault === 'refused' ? 'notSent' : 'unknown')
      await setFault(undefined)
      expect((await inquire(connector, sent)).status).toBe('approved')
    })
  })
}
