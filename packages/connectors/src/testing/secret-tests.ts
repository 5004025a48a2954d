import { describe, expect, test } from 'vitest'
import { type ConformanceAdapter, pay, paymentOf, type Running } from './adapter.ts'
import { openOf, sampleRequest, secretTexts, wipe } from './sample-requests.ts'
import { send } from './connector-session.ts'
import { countReachable } from './reachable.ts'

const DRAWS = 50

/** A short cvv counts only as a text of its own, because random ids contain its digits. */
const expectNoSecret = (text: string): void => {
  for (const secret of secretTexts) {
    const found = new RegExp(`(?<![0-9A-Za-z])${secret}(?![0-9A-Za-z])`)
    expect(found.test(text), 'contains account data').toBe(false)
  }
}

/** Tests of references and secrets. */
export function secretTests(adapter: ConformanceAdapter, running: () => Running): void {
  /** Sends a payment, erases its secrets, and keeps no reference to it. */
  async function sendAndForget(): Promise<readonly WeakRef<object>[]> {
    const request = paymentOf(adapter)
    await pay(running(), request)
    wipe(request)
    const { account } = request
    return [request, account, account?.number, account?.cvv].flatMap((one) => (one ? [new WeakRef(one)] : []))
  }

  describe('account data', () => {
    test.each([
      ['an approval', () => paymentOf(adapter)],
      ['a decline', () => paymentOf(adapter, adapter.declined.changes())],
    ])('is not in %s', async (_, request) => {
      expectNoSecret(JSON.stringify((await pay(running(), request())).reply))
    })

    test('belongs to the caller, who may need it for a reversal', async () => {
      const request = sampleRequest(adapter.approved())
      const texts = () => [request.account?.number, request.account?.cvv].map((one) => one?.use(String))
      const before = texts()
      await send(running().connector, request)
      expect(texts()).toEqual(before)
    })

    test('is not kept after an answer', async () => {
      expect(await countReachable(await sendAndForget())).toBe(0)
    })

    test.runIf(adapter.withoutFaults !== 'local')('is not kept after a lost answer', async () => {
      await running().setFault?.('closed')
      const sent = await sendAndForget()
      await running().setFault?.(undefined)
      expect(await countReachable(sent)).toBe(0)
    })
  })

  test.runIf(adapter.methods.includes('references'))('references are unique JSON without account data', async () => {
    const { connector } = running()
    const request = paymentOf(adapter)
    const drawn: string[] = []
    for (let draw = 0; draw < DRAWS; draw += 1) {
      const references = connector.kind === 'remote' ? await connector.references?.(request) : undefined
      drawn.push(references ?? '')
    }
    const reversal = connector.kind === 'remote' ? await connector.references?.(openOf(request)) : undefined
    drawn.push(reversal ?? '')
    expect(new Set(drawn).size).toBe(DRAWS + 1)
    for (const references of drawn) {
      expect(JSON.parse(references)).toBeTypeOf('object')
      expectNoSecret(references)
    }
  })
}
