import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ConformanceAdapter, Running } from './adapter.ts'
import { paymentOf } from './adapter.ts'
import { send } from './connector-session.ts'
import { faultTests } from './fault-tests.ts'
import { followUpTests } from './follow-up-tests.ts'
import { paymentTests } from './payment-tests.ts'
import { secretTests } from './secret-tests.ts'

const optionalMethods = ['references', 'inquire', 'open', 'close'] as const

/**
 * Describes the behaviour that every connector has: answers are values, also after a fault; a request without an answer
 * is reversed without a trace; nothing is approved that was not requested; and no secret is kept.
 *
 * Call it in a test file with the adapter of a connector.
 */
export function describeConformance(adapter: ConformanceAdapter): void {
  describe(`the connector ${adapter.name}`, () => {
    let started: Running | undefined
    const running = (): Running => {
      if (!started) throw new Error('the connector was not started')
      return started
    }
    beforeAll(async () => {
      started = await adapter.start()
      const { connector } = started
      if (connector.kind === 'remote') connector.open?.()
    })
    afterAll(() => started?.close())

    test('has the methods that its adapter names', () => {
      const { connector } = running()
      expect(connector.kind).toBe(adapter.withoutFaults === 'local' ? 'local' : 'remote')
      expect(optionalMethods.filter((name) => name in connector)).toEqual(adapter.methods)
    })

    paymentTests(adapter, running)
    followUpTests(adapter, running)
    faultTests(adapter, running)
    secretTests(adapter, running)

    test.runIf(adapter.methods.includes('close'))('sends nothing after its end', async () => {
      const { connector } = running()
      if (connector.kind === 'remote') await connector.close?.()
      const { reply } = await send(connector, paymentOf(adapter))
      expect(reply.status).toBe('notSent')
    })
  })
}
