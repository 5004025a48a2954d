import type { AcquirerRequest, NoAnswer, RemoteConnector, ReversalOutcome } from '@tollgate/connectors'
import { DAY_MS, MINUTE_MS } from '@tollgate/contract'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Parameters, summary, testGateway, type TestGateway } from '@tollgate/gateway/testing'
import { numberOf } from '../testing/acquirer-with-references.ts'
import { accountRequests, card, encryptedCard, terminalParameters } from '../testing/sample-accounts.ts'

const down: NoAnswer = { status: 'notSent', reason: 'the link is down' }
const approval: ReversalOutcome = {
  kind: 'done',
  answer: {
    status: 'approved',
    code: '000.100.112',
    amountMinor: 9200,
    details: { ExtendedDescription: 'Approved.', ConnectorTxID1: 'R1', AcquirerResponse: '00' },
  },
}

let tollgate: TestGateway
let options: { reply: NoAnswer; repeat: ReversalOutcome; forwardsOfflineSales: boolean; hasReferences: boolean }
let repeats: { readonly id: string; readonly sentAs: string | undefined; readonly number: string | undefined }[]

beforeEach(async () => {
  options = { reply: down, repeat: { kind: 'unknown' }, forwardsOfflineSales: true, hasReferences: true }
  repeats = []
  const external: RemoteConnector = {
    kind: 'remote',
    name: 'external',
    needsAccountLater: true,
    get forwardsOfflineSales() {
      return options.forwardsOfflineSales
    },
    references: async () => (options.hasReferences ? '{"n":1}' : undefined),
    send: async (_request: AcquirerRequest) => options.reply,
    async reverse({ transactionId }, attempt, account) {
      repeats.push({ id: transactionId, sentAs: attempt?.sentAs, number: numberOf(account) })
      return options.repeat
    },
  }
  tollgate = await testGateway({ external: () => external })
})
afterEach(() => tollgate.close())

/** A chip's approval on 4 May 2026 (9A) without the issuer: a certificate (9F27) and the response Y3 (8A). */
const certificate = '9F2701409F2608C0FFEE00C0FFEE008A0259339A03260504'
const sale = {
  ...card,
  'card.cvv': undefined,
  ...terminalParameters,
  'pos.iccDataRequest': certificate,
  'pos.transactionSequenceNumber': '18',
  testMode: 'EXTERNAL',
}
const sell = (changes: Parameters = {}) => accountRequests(tollgate).pay(sale, changes)
const codeOf = async (id: string) => (await tollgate.send('GET', `/v1/payments/${id}`)).body.result.code
const advance = ({ jobs, clock }: TestGateway['gateway'], ms: number) => jobs.fastForward(clock.now() + ms)

describe('an offline sale that does not reach the host', () => {
  test('is sent by its job until the host answers, with its number and references', async () => {
    const answer = await sell()
    expect(summary(answer)).toEqual([400, '900.100.300'])
    const { id } = answer.body
    await advance(tollgate.gateway, MINUTE_MS)
    expect([repeats.length > 1, await codeOf(id)]).toEqual([true, '900.100.300'])
    options.repeat = approval
    await advance(tollgate.gateway, 10 * MINUTE_MS)
    expect(await codeOf(id)).toBe('000.100.112')
    expect(repeats.at(-1)).toEqual({ id, sentAs: '{"n":1}', number: '4200000000000000' })
    const sent = repeats.length
    await advance(tollgate.gateway, DAY_MS)
    expect(repeats.length).toBe(sent)
    const [attempt] = await tollgate.gateway.storage.acquirerAttempts(id)
    expect(attempt).toMatchObject({ kind: 'request', connector: 'external', outcome: '00' })
  })

  test('is not sold twice: a second upload is refused while the first one waits', async () => {
    const { body } = await sell()
    const second = await sell()
    expect(summary(second)).toEqual([400, '800.110.100'])
    expect(second.body.resultDetails.DuplicateOf).toBe(body.id)
  })

  test('waits for an operator after a week', async () => {
    const { id } = (await sell()).body
    tollgate.clock.nowMs += 7 * DAY_MS
    await advance(tollgate.gateway, MINUTE_MS)
    const { body } = await tollgate.manage('GET', '/jobs/parked')
    expect(body.jobs).toMatchObject([{ subjectId: id, lastError: 'the acquirer does not answer' }])
    expect(await codeOf(id)).toBe('900.100.300')
  })

  test.each<readonly [string, Parameters, Partial<typeof options>]>([
    [
      'its terminal encrypted the card',
      { ...encryptedCard, 'pos.iccDataRequest': certificate, 'card.number': undefined },
      {},
    ],
    ['it has an encrypted PIN', { 'pos.encryptedPin.data': 'D1A1D1A1D1A1D1A1', 'pos.encryptedPin.ksn': 'FFFF98' }, {}],
    ['no reference is free', {}, { hasReferences: false }],
    ['its connector reverses it instead', {}, { forwardsOfflineSales: false }],
    ['it is an ordinary payment', { 'pos.iccDataRequest': '9F270180' }, {}],
  ])('is refused if %s', async (_, changes, differences) => {
    Object.assign(options, differences)
    const answer = await sell(changes)
    expect(summary(answer)).toEqual([400, '900.100.600'])
    await advance(tollgate.gateway, DAY_MS)
    expect([repeats, await codeOf(answer.body.id)]).toEqual([[], '900.100.600'])
  })
})
