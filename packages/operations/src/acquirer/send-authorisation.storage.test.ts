import { DAY_MS } from '@tollgate/contract'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  cardWithoutPayment,
  cardPayment,
  comparableBody,
  monthlyPlan,
  createSubscriber,
  summary,
} from '@tollgate/gateway/testing'
import { twoProcesses } from '../testing/two-processes.ts'
import { endAuthorisations } from '../payments/end-authorisation.job.ts'
import { limits } from '../limits.ts'
import { sandboxIds } from '../directory/sandbox.ts'

const {
  storage,
  local,
  peer,
  pay,
  followUp,
  codeOf,
  statusOf,
  reversalJobs,
  connectAcquirer,
  approvedPayment,
  reverseTimeouts,
  close,
} = await twoProcesses()
afterAll(close)
let { acquirer, time } = connectAcquirer()
beforeEach(() => void ({ acquirer, time } = connectAcquirer()))

describe('while a request to the acquirer is in flight', () => {
  test('the outcome of a payment is unknown, and the response determines it', async () => {
    const answer = pay({ createRegistration: 'true', paymentType: 'PA' })
    const { request, answer: respond } = await acquirer.nthRequest(0)
    const { transactionId: id } = request
    expect([await statusOf(id), await codeOf(id)]).toEqual(['SENT', '900.100.300'])
    expect(await reversalJobs()).toMatchObject([
      { subject_id: id, due_at_ms: local.clock.nowMs + limits.timeoutReversalAfterMs },
    ])
    expect(summary(await followUp(id, 'CP', '92.00'))).toEqual([400, '700.400.570'])
    respond()
    const { status, body } = await answer
    expect([status, body.id, body.result.code]).toEqual([200, id, '000.100.110'])
    expect([await statusOf(id), await reversalJobs()]).toEqual(['ACK', []])
    expect(comparableBody(await local.send('GET', `/v1/payments/${id}`))).toMatchObject({
      registrationId: body.registrationId,
    })
    expect((await storage.registration(body.registrationId))?.deleted_at_ms).toBeNull()
    expect((await storage.job(id))?.kind).toBe('end-authorisation')
  })

  test('the secrets of the request are available, and are erased when the request is complete', async () => {
    const answer = pay()
    const { request, answer: respond } = await acquirer.nthRequest(0)
    const { number, cvv } = request.account ?? {}
    expect([number, cvv].map((secret) => secret?.use((bytes) => bytes.every((byte) => byte > 0)))).toEqual([true, true])
    respond()
    await answer
    for (const secret of [number, cvv]) expect(secret?.use((bytes) => bytes.every((byte) => byte === 0))).toBe(true)
  })

  test('concurrent captures reserve their amounts, and a capture that was not sent releases its amount', async () => {
    const id = await approvedPayment(acquirer, { paymentType: 'PA', amount: '55.00' })
    const codes: string[] = []
    const captures = Array.from({ length: 10 }, async () => {
      const { body } = await followUp(id, 'CP', '10.00')
      codes.push(body.result.code)
    })
    const captureRequests = await Promise.all([1, 2, 3, 4, 5].map((index) => acquirer.nthRequest(index)))
    await vi.waitFor(() => expect(codes).toEqual(Array<string>(5).fill('700.400.100')))
    captureRequests[0]?.fail({ status: 'notSent', reason: 'the network is down' })
    for (const captureRequest of captureRequests.slice(1)) captureRequest.answer()
    await Promise.all(captures)
    const approvedCode = '000.100.110'
    expect(codes.slice(5).toSorted()).toEqual([...Array<string>(4).fill(approvedCode), '900.100.600'])
    const last = followUp(id, 'CP', '15.00')
    ;(await acquirer.nthRequest(6)).answer()
    expect(summary(await last)).toEqual([200, approvedCode])
  })

  test('a repeated idempotency key is answered with the unknown outcome, later with the final outcome', async () => {
    const key = { 'idempotency-key': 'k-1' }
    const answer = pay({}, key)
    const { request, answer: respond } = await acquirer.nthRequest(0)
    const meanwhile = await peer.send('POST', '/v1/payments', cardPayment(), key)
    expect([meanwhile.body.id, meanwhile.body.result.code]).toEqual([request.transactionId, '900.100.300'])
    respond()
    const { text } = await answer
    expect((await peer.send('POST', '/v1/payments', cardPayment(), key)).text).toBe(text)
    expect(acquirer.requests).toHaveLength(1)
  })

  test('the events for webhooks and notificationUrl are stored after the response, with the outcome', async () => {
    Object.assign(local.gateway.webhooks, { webhookIdsFor: () => ['w1'] })
    const answer = pay({ notificationUrl: 'http://127.0.0.1:9/' })
    const { request, answer: respond } = await acquirer.nthRequest(0)
    const events = () => storage.eventsBetween(sandboxIds.merchant, '', '~', 1_000)
    const eventsBefore = (await events()).length
    respond()
    const { text } = await answer
    Object.assign(local.gateway.webhooks, { webhookIdsFor: () => [] })
    const since = (await events()).slice(eventsBefore)
    expect(new Set(since.map(({ type, root_id: root }) => `${type} ${root}`))).toEqual(
      new Set([`NOTIFICATION ${request.transactionId}`, `PAYMENT ${request.transactionId}`]),
    )
    expect(since.find(({ type }) => type === 'PAYMENT')?.payload).toBe(text)
  })
})

describe('an acquirer that does not answer', () => {
  test.each([
    ['was not reached', 'notSent', 0, '900.100.600'],
    ['acknowledges the reversal at once', 'unknown', 1, '900.100.301'],
  ] as const)('and %s leaves no transaction in its books and no reversal job', async (_, kind, reversals, code) => {
    const answer = pay()
    const { request, executeSilently, fail } = await acquirer.nthRequest(0)
    if (kind === 'unknown') executeSilently()
    fail(kind === 'notSent' ? { status: 'notSent', reason: 'refused' } : { status: 'unknown' })
    expect(summary(await answer)).toEqual([400, code])
    expect([acquirer.reversalRequests.length, await statusOf(request.transactionId)]).toEqual([reversals, 'NOK'])
    expect([acquirer.books.size, await reversalJobs()]).toEqual([0, []])
  })

  test('times out, and receives reversals until it acknowledges a reversal', async () => {
    acquirer.answersReversals = false
    const answer = pay()
    const { request, executeSilently } = await acquirer.nthRequest(0)
    executeSilently()
    expect(time.waitsMs).toEqual([limits.acquirerTimeoutMs])
    await time.pass()
    expect(summary(await answer)).toEqual([400, '900.100.300'])
    expect(await reverseTimeouts(0)).toEqual(['the acquirer does not answer'])
    expect(await reverseTimeouts(limits.timeoutReversalWaitsMs[0])).toEqual(['the acquirer does not answer'])
    acquirer.answersReversals = true
    expect(await reverseTimeouts(limits.timeoutReversalWaitsMs[1])).toEqual(['900.100.301'])
    expect([await codeOf(request.transactionId), acquirer.books.size]).toEqual(['900.100.301', 0])
    expect(await reversalJobs()).toEqual([])
  })

  test('for a week causes the reversal to be dead-lettered, and an operator can retry the reversal', async () => {
    acquirer.answersReversals = false
    const answer = pay()
    await acquirer.nthRequest(0)
    await time.pass()
    const { id } = (await answer).body
    await reverseTimeouts(limits.timeoutReversalDeadLetterMs)
    expect((await storage.deadLetteredBefore('~', 9)).map(({ subject_id: subjectId }) => subjectId)).toEqual([id])
    const [job] = await storage.deadLetteredBefore('~', 1)
    acquirer.answersReversals = true
    await local.manage('POST', `/jobs/${job?.id}/retry`)
    await reverseTimeouts(0)
    expect(await codeOf(id)).toBe('900.100.301')
  })

  test('receives a reversal of the merchant again, until the reversal is acknowledged', async () => {
    const id = await approvedPayment(acquirer)
    acquirer.answersReversals = false
    const answer = followUp(id, 'RV')
    ;(await acquirer.nthRequest(1)).fail({ status: 'unknown' })
    expect(summary(await answer)).toEqual([400, '900.100.300'])
    acquirer.answersReversals = true
    expect(await reverseTimeouts(0)).toEqual(['000.100.110'])
    expect(summary(await followUp(id, 'RF', '1.00'))).toEqual([400, '700.400.520'])
  })

  test('blocks a second payment with the same merchantTransactionId only while the outcome is unknown', async () => {
    const settings = { uniqueMerchantTransactionId: true, duplicateWindowSeconds: 60 }
    const channel = { kind: 'channel', name: 'Careful', parentId: sandboxIds.merchant, settings }
    const { id: entityId } = (await local.manage('POST', '/entities', channel)).body
    const order = { entityId, merchantTransactionId: 'order-000001' }
    const first = pay(order)
    const { fail } = await acquirer.nthRequest(0)
    expect(summary(await pay(order))).toEqual([400, '800.130.100'])
    fail({ status: 'notSent', reason: 'refused' })
    await first
    acquirer.reply = 'answer'
    expect(summary(await pay(order))).toEqual([200, '000.100.110'])
    expect(summary(await pay(order))).toEqual([400, '800.130.100'])
    expect(acquirer.requests).toHaveLength(2)
  })
})

test('a payment that was not sent is rejected even if another payment now has its expired uniqueness key', async () => {
  const settings = { duplicateWindowSeconds: 1 }
  const channel = { kind: 'channel', name: 'Quick', parentId: sandboxIds.merchant, settings }
  const { id: entityId } = (await local.manage('POST', '/entities', channel)).body
  const first = pay({ entityId })
  const { fail } = await acquirer.nthRequest(0)
  local.clock.nowMs += 2_000
  acquirer.reply = 'answer'
  expect(summary(await pay({ entityId }))).toEqual([200, '000.100.110'])
  fail({ status: 'notSent', reason: 'refused' })
  expect(summary(await first)).toEqual([400, '900.100.600'])
})

const initialInstruction = {
  'standingInstruction.type': 'UNSCHEDULED',
  'standingInstruction.mode': 'INITIAL',
  'standingInstruction.source': 'CIT',
}

test.each([
  ['without an agreement', {}],
  ['each beginning an agreement', initialInstruction],
])('concurrent payments with one registration, %s, are all approved', async (_, changes) => {
  acquirer.reply = 'answer'
  const { id } = (await local.send('POST', '/v1/registrations', cardWithoutPayment())).body
  acquirer.reply = undefined
  const debit = { amount: '1.00', currency: 'EUR', paymentType: 'DB', ...changes }
  const payments = Array.from({ length: 12 }, () => local.send('POST', `/v1/registrations/${id}/payments`, debit))
  const requests = await Promise.all(Array.from(payments.keys(), acquirer.nthRequest))
  for (const { answer } of requests) answer()
  const codes = (await Promise.all(payments)).map(({ body }) => body.result.code)
  expect(new Set(codes)).toEqual(new Set(['000.100.110']))
})

test('a run of a plan is complete after a response of the acquirer, and is not repeated after a timeout', async () => {
  acquirer.reply = 'answer'
  const created = await local.send('POST', '/scheduling/v1/schedules', monthlyPlan(await createSubscriber(local)))
  const run = async () => {
    const dueAtMs = (await storage.job(created.body.id))?.due_at_ms ?? 0
    const { entries } = await local.gateway.jobs.fastForward(dueAtMs)
    return entries.filter(({ subjectId }) => subjectId === created.body.id).map(({ outcome }) => outcome)
  }
  expect(await run()).toEqual([expect.stringMatching(/^000\.100\.110; next at/)])
  acquirer.answersReversals = false
  acquirer.reply = 'unknown'
  expect(await run()).toEqual([expect.stringMatching(/^900\.100\.300; next at/)])
})

test('an expired authorisation is released at the acquirer, and its timer is removed', async () => {
  const id = await approvedPayment(acquirer, { paymentType: 'PA' })
  acquirer.reply = 'answer'
  const { entries } = await local.gateway.jobs.fastForward(local.gateway.clock.now() + 8 * DAY_MS)
  const outcomes = entries.filter(({ subjectId }) => subjectId === id).map(({ outcome }) => outcome)
  expect(outcomes).toEqual(['the authorisation expires soon', 'reversal of 9200 minor units: 000.100.110'])
  expect(await storage.job(id)).toBeUndefined()
})

test('an authorisation that expires during a capture is released after the outcome of the capture', async () => {
  const id = await approvedPayment(acquirer, { paymentType: 'PA', amount: '10.00' })
  acquirer.answersReversals = false
  acquirer.reply = 'unknown'
  const { id: capture } = (await followUp(id, 'CP', '10.00')).body
  const endsAtMs = local.gateway.clock.now() + 7 * DAY_MS
  local.clock.nowMs = endsAtMs
  const endAuthorisation = async () => {
    const job = await storage.job(id)
    if (job) await endAuthorisations(local.gateway).run(job, new AbortController().signal)
  }
  const transactions = async () =>
    (await storage.treeOf(id))?.transactions.map(({ type, status }) => `${type} ${status}`)
  await endAuthorisation()
  expect(await transactions()).toEqual(['PA ACK', 'CP SENT'])
  acquirer.answersReversals = true
  await reverseTimeouts(limits.timeoutReversalWaitsMs[3])
  expect(await codeOf(capture)).toBe('900.100.301')
  acquirer.reply = 'answer'
  await endAuthorisation()
  expect(await transactions()).toEqual(['PA ACK', 'CP NOK', 'RV ACK'])
  expect(await storage.job(id)).toBeUndefined()
})

test('a rebill is sent to the acquirer, and a card verification without an answer needs no reversal job', async () => {
  const id = await approvedPayment(acquirer)
  const rebill = followUp(id, 'RB', '5.00')
  ;(await acquirer.nthRequest(1)).answer()
  expect(summary(await rebill)).toEqual([200, '000.100.110'])
  const registration = local.send('POST', '/v1/registrations', cardPayment({ paymentType: undefined, amount: '0.00' }))
  ;(await acquirer.nthRequest(2)).fail({ status: 'unknown' })
  expect(summary(await registration)).toEqual([400, '900.100.301'])
  expect(await reversalJobs()).toEqual([])
})
