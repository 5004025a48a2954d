import { closedBreaker, deliveriesTogether } from '@tollgate/domain'
import { openMemory } from '@tollgate/storage'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { limits } from '../limits.ts'
import { sandboxIds } from '../sandbox.ts'
import { cardAlone, cardPayment, type Parameters, testGateway, type TestGateway } from '../testing/test-gateway.ts'
import { isSignedBy, type Receiver, startReceiver, subscribe } from '../testing/webhook-receiver.ts'
import { deliveryJob } from './delivery-job.ts'

const { channel, merchant, legacyChannel } = sandboxIds
const MINUTE_MS = 60_000
/** Deliveries under way to a webhook of which nothing is known. */
const AT_FIRST = deliveriesTogether(closedBreaker, 0)
const DAY_MS = 1440 * MINUTE_MS

let tollgate: TestGateway
const receivers: Receiver[] = []
beforeEach(async () => {
  tollgate = await testGateway()
})
afterEach(async () => {
  await tollgate.gateway.jobs.stop()
  await Promise.all(receivers.splice(0).map((receiver) => receiver.close()))
  await tollgate.close()
})

const subscribed = async (body: object = {}) => {
  const made = await subscribe(tollgate, { entityId: channel, ...body })
  receivers.push(made.receiver)
  return made
}
const receiverAlone = async () => {
  const receiver = await startReceiver()
  receivers.push(receiver)
  return receiver
}
const pay = (changes: Parameters = {}) => tollgate.send('POST', '/v1/payments', cardPayment(changes))
const refer = (id: string, paymentType: string, amount: string) =>
  tollgate.send('POST', `/v1/payments/${id}`, { paymentType, amount, currency: 'EUR' })
/** Does what is due now. */
const tell = () => tollgate.gateway.jobs.travel(tollgate.gateway.clock.now())
const travel = (ms: number) => tollgate.gateway.jobs.travel(tollgate.gateway.clock.now() + ms)
const deliveriesOf = async (id: string, state?: string) =>
  (await tollgate.manage('GET', `/deliveries?webhookId=${id}${state === undefined ? '' : `&state=${state}`}`)).body
    .deliveries

describe('a webhook is told', () => {
  test('of payments, what refers to them, and declines: the answer, to the letter', async () => {
    const { receiver } = await subscribed()
    const paid = await pay({ paymentType: 'PA', amount: '50.00', 'customParameters[order]': 'ä "1"' })
    const captured = await refer(paid.body.id, 'CP', '20.00')
    const refunded = await refer(captured.body.id, 'RF', '5.00')
    const declined = await pay({ 'card.holder': '{800.100.151}' })
    const credited = await pay({ paymentType: 'CD' })
    await tell()
    const answers = [paid, captured, refunded, declined, credited]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 400, 200])
    expect(receiver.received.map(({ text }) => text)).toEqual(
      answers.map(({ text, body: { amount, currency } }) => {
        return (
          `{"type":"PAYMENT","payload":${text},` +
          `"presentationAmount":"${amount}","presentationCurrency":"${currency}"}`
        )
      }),
    )
    expect(receiver.received[1]?.json.payload.referencedId).toBe(paid.body.id)
  })

  test('of the release of an authorisation, but not of the warning, which changes nothing', async () => {
    const { receiver } = await subscribed()
    const { body } = await pay({ paymentType: 'PA' })
    expect(body.resultDetails.AuthorizationExpiresAt).toBeDefined()
    await travel(6.5 * DAY_MS)
    expect(tollgate.logged.filter(({ endsAt }) => endsAt !== undefined)).toHaveLength(1)
    expect(receiver.received.map(({ json }) => json.payload.paymentType)).toEqual(['PA'])
    await travel(DAY_MS)
    expect(receiver.received.map(({ json }) => json.payload.paymentType)).toEqual(['PA', 'RV'])
    expect(receiver.received[1]?.json.payload.referencedId).toBe(body.id)
  })

  test('of registrations: created, updated, deleted', async () => {
    const { receiver } = await subscribed()
    const made = await tollgate.send('POST', '/v1/registrations', cardAlone())
    const path = `/v1/registrations/${made.body.id}`
    const updated = await tollgate.send('POST', path, { 'card.expiryMonth': '11', 'card.expiryYear': '2037' })
    const extended = await tollgate.send('POST', `${path}/extendlife`)
    const deleted = await tollgate.send('DELETE', path)
    await tell()
    expect(receiver.received.map(({ text }) => text)).toEqual([
      `{"type":"REGISTRATION","action":"CREATED","payload":${made.text}}`,
      `{"type":"REGISTRATION","action":"UPDATED","payload":${updated.text}}`,
      `{"type":"REGISTRATION","action":"UPDATED","payload":${extended.text}}`,
      `{"type":"REGISTRATION","action":"DELETED","payload":${deleted.text}}`,
    ])
  })

  test('of both, where a payment makes a registration', async () => {
    const { receiver } = await subscribed()
    const paid = await pay({ createRegistration: 'true' })
    await tell()
    const [payment, registration] = receiver.received.map(({ json }) => json)
    expect([payment.type, payment.payload]).toEqual(['PAYMENT', paid.body])
    expect([registration.type, registration.action]).toEqual(['REGISTRATION', 'CREATED'])
    expect(registration.payload.id).toBe(paid.body.registrationId)
  })

  test('of nothing that did not happen', async () => {
    const { receiver } = await subscribed()
    const paid = await pay({}).then(({ body }) => body.id)
    await tell()
    receiver.received.length = 0
    await tollgate.send('GET', `/v1/payments/${paid}`)
    await pay({ amount: 'x' })
    await refer('0'.repeat(32), 'RF', '1.00')
    await refer(paid, 'CP', '1.00')
    await tollgate.send('POST', '/v1/payments', cardPayment(), { authorization: undefined })
    await tollgate.send('DELETE', `/v1/registrations/${'0'.repeat(32)}`)
    await tell()
    expect(receiver.received).toEqual([])
  })

  test('once of a request that is sent twice with its key', async () => {
    const { receiver } = await subscribed()
    const twice = () => tollgate.send('POST', '/v1/payments', cardPayment(), { 'idempotency-key': 'k' })
    const [first, second] = [await twice(), await twice()]
    await tell()
    expect(first.text).toBe(second.text)
    expect(receiver.received.map(({ json }) => json.payload.id)).toEqual([first.body.id])
  })

  test('of its own entity, and of what lies below it', async () => {
    const here = await subscribed()
    const above = await subscribed({ entityId: merchant })
    const other = await subscribed({ entityId: legacyChannel })
    await pay()
    await pay({ entityId: legacyChannel })
    await tell()
    expect([here, above, other].map(({ receiver }) => receiver.received.length)).toEqual([1, 2, 1])
  })

  test('of the types that it wants', async () => {
    const { receiver } = await subscribed({ types: ['REGISTRATION'] })
    await pay()
    await tollgate.send('POST', '/v1/registrations', cardAlone())
    await tell()
    expect(receiver.received.map(({ json }) => json.type)).toEqual(['REGISTRATION'])
  })

  test('nothing of the customer, where it wants that', async () => {
    const { receiver } = await subscribed({ fieldFilter: 'NON_CUSTOMER_DATA' })
    const names = { 'customer.givenName': 'Jane', 'customer.surname': 'Jones', 'customer.email': 'jane@jones.example' }
    const { body } = await pay(names)
    await tell()
    const [received] = receiver.received
    expect(received?.text).not.toMatch(/jane/i)
    const { customer, card, ...others } = body
    const { holder, ...face } = card
    expect([customer.givenName, holder]).toEqual(['Jane', 'Jane Jones'])
    expect(received?.json).toMatchObject({ payload: { ...others, card: face }, presentationAmount: '92.00' })
  })

  test.each([
    { wrapper: 'text', type: 'text/plain', form: /^[0-9a-f]+$/ },
    { wrapper: 'json', type: 'application/json', form: /^\{"encryptedBody":"[0-9a-f]+"\}$/ },
  ])('in the form that it wants ($wrapper), signed, each attempt under a vector of its own', async (wanted) => {
    const { receiver, id } = await subscribed({ wrapper: wanted.wrapper })
    receiver.answer = () => ({ status: 500 })
    await pay()
    await tell()
    receiver.answer = () => ({ status: 204 })
    await travel(2 * MINUTE_MS)
    expect(receiver.received.length).toBe(2)
    const [delivery] = await deliveriesOf(id, 'delivered')
    for (const { headers, body, isSigned } of receiver.received) {
      expect([headers['content-type'], body, isSigned]).toEqual([wanted.type, expect.stringMatching(wanted.form), true])
      expect(headers['webhook-id']).toBe(delivery.eventId)
    }
    const [first, second] = receiver.received.map(({ headers }) => headers)
    expect(first?.['x-initialization-vector']).toMatch(/^[0-9a-f]{24}$/)
    expect(first?.['x-initialization-vector']).not.toBe(second?.['x-initialization-vector'])
    expect(Number(second?.['webhook-timestamp']) - Number(first?.['webhook-timestamp'])).toBeGreaterThan(50)
  })
})

describe('a delivery that fails', () => {
  test('comes again by the schedule, every attempt is kept, and at last it is given up in sight', async () => {
    const { id, receiver } = await subscribed()
    receiver.answer = () => ({ status: 500, body: 'x'.repeat(5_000) })
    await pay()
    const start = tollgate.gateway.clock.now()
    const { happened } = await travel(60 * DAY_MS)
    const told = happened.filter(({ kind }) => kind === 'delivery')
    expect(told.map(({ outcome }) => outcome)).toEqual([
      ...Array.from({ length: 36 }, () => 'failed: HTTP 500'),
      'given up: HTTP 500',
    ])
    const waits = told.slice(1).map(({ atMs }, index) => (atMs - (told[index]?.atMs ?? 0)) / MINUTE_MS)
    const planned = [1, 2, 4, 8, 15, 30, 60, ...Array.from({ length: 29 }, () => 1440)]
    for (const [index, wait] of waits.entries()) {
      expect(wait / (planned[index] ?? 0)).toBeGreaterThanOrEqual(0.9)
      expect(wait / (planned[index] ?? 0)).toBeLessThanOrEqual(1.1)
    }
    expect(new Set(waits.map((wait, index) => wait / (planned[index] ?? 0))).size).toBeGreaterThan(30)
    expect(told[0]?.atMs).toBe(start)

    const [parked] = (await tollgate.manage('GET', '/deliveries?state=parked')).body.deliveries
    expect(parked).toMatchObject({ webhookId: id, state: 'parked', attempts: 37, lastError: 'HTTP 500' })
    const { body } = await tollgate.manage('GET', `/deliveries/${parked.id}`)
    expect(body.attemptsMade.length).toBe(37)
    expect(body.attemptsMade[36]).toMatchObject({ number: 37, httpStatus: 500, error: 'HTTP 500' })
    expect(body.attemptsMade[0].answer).toBe('x'.repeat(limits.attemptAnswerChars))
    expect(body.event).toMatchObject({ type: 'PAYMENT', entityId: channel })

    receiver.answer = () => ({ status: 200 })
    expect((await tollgate.manage('POST', `/deliveries/${parked.id}/retry`)).body).toMatchObject({ state: 'waiting' })
    await tell()
    const { body: done } = await tollgate.manage('GET', `/deliveries/${parked.id}`)
    expect([done.state, done.attemptsMade.length]).toEqual(['delivered', 38])
    expect((await tollgate.manage('POST', `/deliveries/${parked.id}/retry`)).status).toBe(409)
  })

  test.each([
    { what: 'a redirect', status: 302, headers: { location: '/elsewhere' } },
    { what: 'a client error', status: 404, headers: {} },
  ])('by $what comes again', async ({ status, headers }) => {
    const { id, receiver } = await subscribed()
    receiver.answer = () => ({ status, headers })
    await pay()
    await tell()
    expect(receiver.requests).toBe(2)
    expect(await deliveriesOf(id)).toMatchObject([{ state: 'waiting', attempts: 1, lastError: `HTTP ${status}` }])
  })

  test('comes again when it was asked to, and the webhook is left alone until then', async () => {
    const { id, receiver } = await subscribed()
    receiver.answer = () => ({ status: 503, headers: { 'retry-after': '500' } })
    await pay()
    await tell()
    const [{ dueAt }] = await deliveriesOf(id)
    expect(Date.parse(dueAt) - tollgate.gateway.clock.now()).toBe(500_000)
    const kind = tollgate.gateway.jobs.kinds().find(({ name }) => name === 'delivery')
    expect(kind?.together(id)).toBe(0)
    tollgate.clock.nowMs += 500_000
    expect(kind?.together(id)).toBe(1)
  })

  test('to where nobody listens is kept with the reason', async () => {
    const { id, receiver } = await subscribed()
    await receiver.close()
    receivers.splice(0)
    await pay()
    await tell()
    const [delivery] = await deliveriesOf(id, 'waiting')
    const { body } = await tollgate.manage('GET', `/deliveries/${delivery.id}`)
    expect(body.attemptsMade).toMatchObject([{ number: 1, error: 'failed: the connection was refused', answer: '' }])
    expect(body.attemptsMade[0]).not.toHaveProperty('httpStatus')
  })

  test('because the endpoint is gone ends it: what waits is given up, and nothing more is written', async () => {
    const { id, receiver } = await subscribed()
    receiver.answer = () => ({ status: 410 })
    await pay()
    await pay()
    await tell()
    expect(receiver.received.length).toBe(1)
    expect((await tollgate.manage('GET', `/webhooks/${id}`)).body.state).toBe('disabled')
    expect(
      (await deliveriesOf(id, 'parked')).map(({ lastError }: { lastError: string }) => lastError).toSorted(),
    ).toEqual(['HTTP 410', 'the webhook is not active'])
    await pay()
    expect((await deliveriesOf(id)).length).toBe(2)
    receiver.answer = () => ({ status: 200 })
    expect((await tollgate.manage('POST', `/webhooks/${id}/test`)).body.webhook.state).toBe('active')
    await pay()
    await tell()
    expect(receiver.received.length).toBe(2)
  })
})

describe('a webhook at work', () => {
  test('is left alone after failures in a row, and asked once whether it is back', async () => {
    const { id, receiver } = await subscribed()
    receiver.answer = () => ({ status: 500 })
    for (let count = 0; count < 3 * AT_FIRST; count += 1) await pay()
    tollgate.gateway.jobs.start()
    // Those that had begun when it opened come to their end; none of the others begins.
    await expect.poll(() => receiver.received.length, { timeout: 5_000 }).toBeGreaterThanOrEqual(5)
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    const asked = receiver.received.length
    expect(asked).toBeLessThanOrEqual(AT_FIRST + 5)
    let most = 0
    let underWay = 0
    receiver.answer = async () => {
      underWay += 1
      most = Math.max(most, underWay)
      await new Promise((resolve) => setTimeout(resolve, 100))
      underWay -= 1
      return { status: 500 }
    }
    tollgate.clock.nowMs += 2 * MINUTE_MS
    await expect.poll(() => receiver.received.length, { timeout: 10_000 }).toBe(asked + 1)
    await expect.poll(() => tollgate.gateway.webhooks.breakerOf(id)).toMatchObject({ openings: 2 })
    receiver.answer = () => ({ status: 200 })
    tollgate.clock.nowMs += 10 * MINUTE_MS
    await expect.poll(async () => (await deliveriesOf(id, 'delivered')).length, { timeout: 20_000 }).toBe(3 * AT_FIRST)
    expect(most).toBe(1)
  }, 40_000)

  test('that never answers delays no other', async () => {
    const dead = await subscribed()
    const alive = await subscribed()
    const ends: (() => void)[] = []
    dead.receiver.answer = () => new Promise((resolve) => ends.push(() => resolve({ status: 200 })))
    tollgate.gateway.jobs.start()
    for (let count = 0; count < 3 * AT_FIRST; count += 1) await pay()
    await expect.poll(() => alive.receiver.received.length, { timeout: 10_000 }).toBe(3 * AT_FIRST)
    expect(dead.receiver.received.length).toBe(AT_FIRST)
    await expect.poll(() => ends.length, { timeout: 10_000 }).toBe(AT_FIRST)
    dead.receiver.answer = () => ({ status: 200 })
    for (const end of ends) end()
    await expect.poll(() => dead.receiver.received.length, { timeout: 10_000 }).toBe(3 * AT_FIRST)
  }, 40_000)

  test('outlives the process: its keys, and what waits for it', async () => {
    const storage = openMemory()
    const before = await testGateway({ storage })
    const { id, receiver } = await subscribe(before, { entityId: channel })
    receivers.push(receiver)
    const paid = [await before.send('POST', '/v1/payments', cardPayment())]
    const after = await testGateway({ storage, data: before.gateway.config.data })
    paid.push(await after.send('POST', '/v1/payments', cardPayment()))
    await after.gateway.jobs.travel(after.gateway.clock.now())
    const heard = receiver.received.map(({ json }) => JSON.stringify(json.payload))
    expect(heard.toSorted()).toEqual(paid.map(({ body }) => JSON.stringify(body)).toSorted())
    expect((await after.manage('GET', `/webhooks/${id}`)).body).toMatchObject({ state: 'active', url: receiver.url })
    await after.close()
    await before.close()
  })

  test('is told of one payment in order, while others go ahead', async () => {
    const { receiver, id } = await subscribed()
    const { body: held } = await pay({ paymentType: 'PA', amount: '50.00' })
    let failures = 2
    receiver.answer = ({ json }) => {
      if (json.payload.id !== held.id || failures === 0) return { status: 200 }
      failures -= 1
      return { status: 500 }
    }
    await tell()
    const captured = await refer(held.id, 'CP', '20.00')
    const { body: other } = await pay()
    await tell()
    const heard = () => receiver.received.map(({ json }) => json.payload.id)
    expect(heard()).toEqual([held.id, other.id])
    await travel(10 * MINUTE_MS)
    expect(heard()).toEqual([held.id, other.id, held.id, held.id, captured.body.id])
    expect((await deliveriesOf(id, 'delivered')).length).toBe(3)
  })

  test('is told of what came later all the same, when an earlier event fails for long', async () => {
    const { receiver } = await subscribed()
    const { body: held } = await pay({ paymentType: 'PA', amount: '50.00' })
    receiver.answer = ({ json }) => ({ status: json.payload.id === held.id ? 500 : 200 })
    await tell()
    const captured = await refer(held.id, 'CP', '20.00')
    const { happened } = await travel(20 * MINUTE_MS)
    const heard = receiver.received.map(({ json }) => json.payload.id)
    expect(heard.filter((id) => id === held.id).length).toBeGreaterThanOrEqual(4)
    expect(heard).toContain(captured.body.id)
    const delivered = happened.find(({ outcome }) => outcome === 'delivered')
    expect((delivered?.atMs ?? Infinity) - tollgate.clock.nowMs).toBeLessThan(9 * MINUTE_MS)
  })

  test('is told of a capture once the preauthorisation that is under way has arrived', async () => {
    const { receiver } = await subscribed()
    let arrive = () => {}
    receiver.answer = ({ json }) =>
      json.payload.paymentType === 'PA'
        ? new Promise((resolve) => {
            arrive = () => resolve({ status: 200 })
          })
        : { status: 200 }
    tollgate.gateway.jobs.start()
    const { body: held } = await pay({ paymentType: 'PA', amount: '50.00' })
    await expect.poll(() => receiver.received.length).toBe(1)
    await refer(held.id, 'CP', '20.00')
    await pay()
    const heard = () => receiver.received.map(({ json }) => json.payload.paymentType)
    await expect.poll(heard).toEqual(['PA', 'DB'])
    arrive()
    await expect.poll(heard, { timeout: 5_000 }).toEqual(['PA', 'DB', 'CP'])
  })
})

describe('what an attempt leaves', () => {
  test('an answer is stored without NUL and without half a character', async () => {
    const { id, receiver } = await subscribed()
    receiver.answer = () => ({ status: 500, body: `a\0${'b'.repeat(997)}😀` })
    await pay()
    await tell()
    const [delivery] = await deliveriesOf(id)
    const { body } = await tollgate.manage('GET', `/deliveries/${delivery.id}`)
    expect(body.attemptsMade).toMatchObject([{ number: 1, answer: `a\uFFFD${'b'.repeat(997)}` }])
  })

  test('attempts are numbered on, however often a delivery is taken up again', async () => {
    const { id, receiver } = await subscribed()
    receiver.answer = () => ({ status: 500 })
    await pay()
    await tell()
    const [delivery] = await deliveriesOf(id)
    for (let count = 0; count < 2; count += 1) {
      await tollgate.manage('POST', `/deliveries/${delivery.id}/retry`)
      await tell()
    }
    const { body } = await tollgate.manage('GET', `/deliveries/${delivery.id}`)
    expect(body.attemptsMade).toMatchObject([{ number: 1 }, { number: 2 }, { number: 3 }])
  })

  test.each([
    { wrapper: 'text', chars: 131_072, state: 'delivered' },
    { wrapper: 'text', chars: 131_073, state: 'parked' },
    { wrapper: 'json', chars: 131_062, state: 'delivered' },
    { wrapper: 'json', chars: 131_063, state: 'parked' },
  ])('a notification of $chars characters as $wrapper is $state', async ({ wrapper, chars, state }) => {
    const { id, receiver } = await subscribed({ wrapper })
    await pay()
    await tell()
    const [first] = receiver.received
    const [delivery] = await deliveriesOf(id)
    const event = await tollgate.gateway.storage.event(delivery.eventId)
    if (!first || !event) throw new Error('it has been told')
    const payload = event.payload.replace(/}$/, `,"more":"${'x'.repeat(chars - first.text.length - 10)}"}`)
    const longer = { ...event, id: 'f'.repeat(32), payload }
    const rows = { event: [longer], job: [deliveryJob(longer, id, { id: 'e'.repeat(32), atMs: event.created_at_ms })] }
    await tollgate.gateway.storage.commit({ id: 'longer', guards: [], rows })
    await tell()
    const { body } = await tollgate.manage('GET', `/deliveries/${'e'.repeat(32)}`)
    expect(body.state).toBe(state)
    if (state === 'delivered') expect(receiver.received[1]?.text).toHaveLength(chars)
    else expect(body).toMatchObject({ attempts: 0, attemptsMade: [], lastError: expect.stringContaining('262144') })
    expect(tollgate.gateway.webhooks.breakerOf(id)).toMatchObject({ kind: 'closed', failures: 0 })
  })
})

describe('operators', () => {
  const manage: TestGateway['manage'] = (...request) => tollgate.manage(...request)

  test('register a webhook, which is told of nothing until a test delivery has passed', async () => {
    const receiver = await receiverAlone()
    const made = await manage('POST', '/webhooks', { entityId: channel, url: receiver.url })
    expect([made.status, made.body]).toMatchObject([
      201,
      {
        entityId: channel,
        url: receiver.url,
        types: ['PAYMENT', 'REGISTRATION'],
        fieldFilter: 'ALL',
        wrapper: 'text',
        state: 'inactive',
        keys: [{ state: 'pending' }],
        key: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    ])
    const { id, key, signingSecret } = made.body
    expect(Buffer.from(signingSecret.slice('whsec_'.length), 'base64').toString('hex')).toBe(key)
    const shown = await manage('GET', `/webhooks/${id}`)
    expect(shown.text).not.toContain(key)
    expect(shown.body).not.toHaveProperty('signingSecret')
    await pay()
    // It cannot read it without its key.
    expect((await manage('POST', `/webhooks/${id}/test`)).body).toMatchObject({
      delivered: false,
      httpStatus: 400,
      error: 'HTTP 400',
      answer: 'no key of mine opens this',
      webhook: { state: 'inactive' },
    })
    receiver.keys.push(key)
    let told: unknown
    receiver.answer = ({ json, isSigned }) => {
      told = [json, isSigned]
      return { status: 200 }
    }
    expect((await manage('POST', `/webhooks/${id}/test`)).body).toMatchObject({
      delivered: true,
      webhook: { state: 'active', keys: [{ state: 'current' }] },
    })
    expect(told).toEqual([{ type: 'test', action: 'webhook activation', payload: {} }, true])
    await tell()
    expect(await deliveriesOf(id)).toEqual([])
    await pay()
    await tell()
    expect(receiver.received.length).toBe(1)
  })

  test.each([
    { wrong: { url: 'ftp://shop.example' }, message: 'body/url cannot be sent to: the scheme of the URL is not https' },
    { wrong: { types: ['RISK'] }, message: 'body/types/0 must be one of PAYMENT, REGISTRATION' },
    { wrong: { types: [] }, message: 'body/types must NOT have fewer than 1 items' },
    { wrong: { wrapper: 'xml' }, message: 'body/wrapper must be one of text, json' },
    { wrong: { fieldFilter: 'SOME' }, message: 'body/fieldFilter must be one of ALL, NON_CUSTOMER_DATA' },
  ])('are told what is wrong: $message', async ({ wrong, message }) => {
    const url = 'https://shop.example/hook'
    const { status, body } = await manage('POST', '/webhooks', { entityId: channel, url, ...wrong })
    expect([status, body.error.message]).toEqual([400, message])
  })

  test('are told what is not there, and what is too many', async () => {
    const url = 'https://shop.example/hook'
    const unknown = 'f'.repeat(32)
    expect((await manage('POST', '/webhooks', { entityId: unknown, url })).status).toBe(404)
    for (const path of [`/webhooks/${unknown}`, `/deliveries/${unknown}`])
      expect((await manage('GET', path)).status).toBe(404)
    expect((await manage('GET', '/deliveries')).status).toBe(400)
    for (let count = 0; count < limits.webhooksMax; count += 1)
      expect((await manage('POST', '/webhooks', { entityId: channel, url })).status).toBe(201)
    expect((await manage('POST', '/webhooks', { entityId: channel, url })).status).toBe(409)
    expect((await manage('GET', `/webhooks?entityId=${channel}`)).body.total).toBe(limits.webhooksMax)
  })

  test('move an active webhook only to where a test delivery passes', async () => {
    const { id, receiver } = await subscribed()
    const next = await receiverAlone()
    const refused = await manage('PATCH', `/webhooks/${id}`, { url: next.url })
    expect([refused.status, refused.body.error.message]).toEqual([
      409,
      'Nothing was changed, for the new address takes no delivery: HTTP 400.',
    ])
    next.keys.push(...receiver.keys)
    const moved = await manage('PATCH', `/webhooks/${id}`, { url: next.url, wrapper: 'json' })
    expect(moved.body).toMatchObject({ url: next.url, wrapper: 'json', state: 'active' })
    await pay()
    await tell()
    expect([receiver.received.length, next.received.length]).toEqual([0, 1])
    receiver.answer = async () => {
      await manage('PATCH', `/webhooks/${id}`, { state: 'disabled' })
      return { status: 200 }
    }
    const raced = await manage('PATCH', `/webhooks/${id}`, { url: receiver.url })
    expect([raced.status, raced.body.error.message]).toEqual([
      409,
      'The webhook was changed meanwhile: look at it again.',
    ])
    expect((await manage('GET', `/webhooks/${id}`)).body).toMatchObject({ url: next.url, state: 'disabled' })
    expect((await manage('POST', `/webhooks/${id}/replay`, { eventIds: [id] })).status).toBe(409)
  })

  test('replace a key: the new one takes over when a test has passed, and the old one signs for a while', async () => {
    const { id, receiver } = await subscribed()
    const [oldKey = ''] = receiver.keys
    const { key: lostKey } = (await manage('POST', `/webhooks/${id}/keys`)).body
    const rotated = await manage('POST', `/webhooks/${id}/keys`)
    expect(rotated.body.keys.map(({ state }: { state: string }) => state)).toEqual(['current', 'pending'])
    const { key: newKey } = rotated.body
    expect(new Set([oldKey, lostKey, newKey]).size).toBe(3)
    await pay()
    await tell()
    expect(receiver.received.length).toBe(1)
    expect((await manage('POST', `/webhooks/${id}/test`)).body.delivered).toBe(false)
    receiver.keys.push(newKey)
    const { body } = await manage('POST', `/webhooks/${id}/test`, { overlapSeconds: 60 })
    expect(body.webhook.keys.map(({ state }: { state: string }) => state)).toEqual(['ending', 'current'])
    const last = async () => {
      receiver.keys.splice(0, receiver.keys.length, newKey)
      await pay()
      await tell()
      const { headers, body: sent } = receiver.received.at(-1) ?? { headers: {}, body: '' }
      return [isSignedBy(newKey, headers, sent), isSignedBy(oldKey, headers, sent)]
    }
    expect(await last()).toEqual([true, true])
    await travel(MINUTE_MS)
    expect(await last()).toEqual([true, false])
    expect(receiver.received.length).toBe(3)
  })

  test('have events told again: by their ids, or all of a time', async () => {
    const { id, receiver } = await subscribed({ types: ['PAYMENT'] })
    const { receiver: registrations } = await subscribed({ types: ['REGISTRATION'] })
    const from = new Date(tollgate.clock.nowMs).toISOString()
    await pay()
    await tollgate.send('POST', '/v1/registrations', cardAlone())
    tollgate.clock.nowMs += 1_000
    await pay({ entityId: legacyChannel })
    await pay()
    await tell()
    const eventIds = receiver.received.map(({ headers }) => String(headers['webhook-id']))
    expect(eventIds.length).toBe(2)
    const again = await manage('POST', `/webhooks/${id}/replay`, { eventIds: eventIds.slice(1) })
    expect(again.body).toEqual({ deliveries: 1 })
    const range = { from, to: new Date(tollgate.clock.nowMs - 1).toISOString() }
    expect((await manage('POST', `/webhooks/${id}/replay`, range)).body).toEqual({ deliveries: 1 })
    await tell()
    const heard = receiver.received.map(({ headers }) => headers['webhook-id'])
    expect(heard).toEqual([...eventIds, eventIds[1], eventIds[0]])
    expect(receiver.received[3]?.text).toBe(receiver.received[0]?.text)
    expect(registrations.received.length).toBe(1)
    const foreign = await manage('POST', `/webhooks/${id}/replay`, { eventIds: ['0'.repeat(32)] })
    expect([foreign.status, foreign.body.error.message]).toEqual([404, `There is no event ${'0'.repeat(32)}.`])
  })

  test.each([
    { wrong: {}, message: /^body must have either eventIds, or from and to/ },
    { wrong: { from: '2026-05-04T00:00:00Z' }, message: /^body must have either eventIds, or from and to/ },
    { wrong: { eventIds: ['a'.repeat(32)], from: '2026-05-04T00:00:00Z' }, message: /^body must have either eventIds/ },
    { wrong: { from: '2026-05-04', to: '2026-05-05T00:00:00Z' }, message: /^body\/from must be an instant/ },
    { wrong: { from: '2026-05-04T00:00:00Z', to: '2026-06-30T23:59:60Z' }, message: /^body\/to must be an instant/ },
    { wrong: { from: '2026-05-05T00:00:00Z', to: '2026-05-04T00:00:00Z' }, message: /^body\/to must not be before/ },
    {
      wrong: { from: '2026-05-04T00:00:00Z', to: '2026-05-05T00:00:00Z', next: 'f'.repeat(32) },
      message: /^body\/next must be of a replay with the same from and to/,
    },
  ])('are told what is wrong with a replay: $message', async ({ wrong, message }) => {
    const { id } = await subscribed()
    const { status, body } = await manage('POST', `/webhooks/${id}/replay`, wrong)
    expect([status, body.error.message]).toEqual([400, expect.stringMatching(message)])
  })

  test('have a range of more events than a replay takes told in parts', async () => {
    const { id } = await subscribed()
    const { storage, ids } = tollgate.gateway
    const event = Array.from({ length: limits.replayEventsMax + 1 }, () => ({
      id: ids.sequenced(),
      merchant,
      entity_id: channel,
      root_id: ids.ordered(),
      type: 'PAYMENT',
      action: null,
      payload: '{}',
      created_at_ms: 0,
    }))
    await storage.commit({ id: ids.ordered(), guards: [], rows: { event } })
    const range = { from: '2026-01-01T00:00:00Z', to: '2027-01-01T00:00:00Z' }
    const first = await manage('POST', `/webhooks/${id}/replay`, range)
    expect(first.body).toEqual({ deliveries: limits.replayEventsMax, next: event.at(-1)?.id })
    const second = await manage('POST', `/webhooks/${id}/replay`, { ...range, next: first.body.next })
    expect(second.body).toEqual({ deliveries: 1 })
    const page = (await manage('GET', `/deliveries?webhookId=${id}`)).body
    expect([page.deliveries.length, page.next]).toEqual([limits.listMax, page.deliveries.at(-1).id])
    const rest = (await manage('GET', `/deliveries?webhookId=${id}&before=${page.next}`)).body
    expect(rest.deliveries[0].id < page.next).toBe(true)
  })

  test('delete a webhook: what waits is given up in sight, and its keys are gone', async () => {
    const { id, receiver } = await subscribed()
    receiver.answer = () => ({ status: 500 })
    await pay()
    await tell()
    await pay()
    expect((await manage('DELETE', `/webhooks/${id}`)).body).toEqual({ id, state: 'deleted' })
    expect((await manage('GET', `/webhooks/${id}`)).status).toBe(404)
    expect((await manage('GET', '/webhooks')).body).toEqual({ webhooks: [], total: 0 })
    await travel(DAY_MS)
    expect(receiver.received.length).toBe(1)
    const { deliveries } = (await manage('GET', '/deliveries?state=parked')).body
    expect(deliveries).toMatchObject([
      { lastError: 'the webhook was deleted' },
      { lastError: 'the webhook was deleted' },
    ])
    expect(await tollgate.gateway.storage.webhookKeys()).toEqual([])
    const refused = await manage('POST', `/deliveries/${deliveries[0].id}/retry`)
    expect([refused.status, refused.body.error.message]).toEqual([
      409,
      `The webhook ${id} is deleted: replay the event to another one.`,
    ])
  })

  test('find what waits for a deleted webhook given up, even where the process ended before it was', async () => {
    const storage = openMemory()
    const before = await testGateway({ storage })
    const { id, receiver } = await subscribe(before, { entityId: channel })
    receivers.push(receiver)
    await before.send('POST', '/v1/payments', cardPayment())
    const [row] = await storage.webhooks()
    if (!row) throw new Error('it was registered')
    await storage.commit({ id: 'u', guards: [], rows: { webhook: [{ ...row, state: 'disabled', deleted_at_ms: 1 }] } })
    const after = await testGateway({ storage, data: before.gateway.config.data })
    expect((await after.manage('GET', '/webhooks')).body.total).toBe(0)
    await after.gateway.jobs.travel(after.gateway.clock.now())
    const { deliveries } = (await after.manage('GET', '/deliveries?state=parked')).body
    expect(deliveries).toMatchObject([{ webhookId: id, lastError: 'the webhook is not active' }])
    expect(receiver.received).toEqual([])
    await after.close()
    await before.close()
  })

  test('give a delivery up, and take it up again', async () => {
    const { id, receiver } = await subscribed()
    await pay()
    const [{ id: deliveryId }] = await deliveriesOf(id, 'waiting')
    const parked = await manage('POST', `/deliveries/${deliveryId}/park`)
    expect(parked.body).toMatchObject({ state: 'parked', lastError: 'parked by an operator' })
    tollgate.clock.nowMs += 1
    expect((await manage('POST', `/deliveries/${deliveryId}/park`)).text).toBe(parked.text)
    await tell()
    expect(receiver.received).toEqual([])
    await manage('PATCH', `/webhooks/${id}`, { state: 'disabled' })
    const refused = await manage('POST', `/deliveries/${deliveryId}/retry`)
    expect([refused.status, refused.body.error.message]).toEqual([409, `The webhook ${id} is disabled: test it first.`])
    await manage('POST', `/webhooks/${id}/test`)
    await manage('POST', `/deliveries/${deliveryId}/retry`)
    await tell()
    expect(receiver.received.length).toBe(1)
  })
})
