import type { AcquirerRequest, RemoteConnector } from '@tollgate/connectors'
import { MINUTE_MS } from '@tollgate/contract'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { cardPayment, summary, testGateway, type TestGateway } from '../../testing/test-gateway.ts'

/** An acquirer that processes no capture and no reversal. */
const external: RemoteConnector = {
  kind: 'remote',
  name: 'external',
  references: async () => '{}',
  async send({ operation, amountMinor }: AcquirerRequest) {
    if (operation === 'CP') return { status: 'rejected', reason: 'the acquirer answered 12' }
    if (operation === 'DB') return { status: 'unknown' }
    const details = { ExtendedDescription: 'Approved.', ConnectorTxID1: 'R1', AcquirerResponse: '00' }
    return { status: 'approved', code: '000.100.112', amountMinor, details }
  },
  reverse: async () => ({ kind: 'rejected', reason: 'the acquirer answered 12' }),
}

let tollgate: TestGateway
beforeEach(async () => {
  tollgate = await testGateway({ external: () => external })
})
afterEach(() => tollgate.close())

const money = { amount: '92.00', currency: 'EUR' }
const pay = (paymentType: string) =>
  tollgate.send('POST', '/v1/payments', cardPayment({ testMode: 'EXTERNAL', paymentType }))
const codeOf = async (id: string) => (await tollgate.send('GET', `/v1/payments/${id}`)).body.result.code
const close = (job: string, body: object) => tollgate.manage('POST', `/jobs/${job}/close`, body)

const approved = { as: 'approved', reason: 'Acme confirmed it by telephone', reference: 'ARN-74500' }
const declined = { as: 'declined', reason: 'Acme has no such capture' }

/** A capture that the acquirer has rejected until its job was dead-lettered. */
async function rejectedCapture() {
  const payment = (await pay('PA')).body.id
  const capture = await tollgate.send('POST', `/v1/payments/${payment}`, { paymentType: 'CP', ...money })
  expect(summary(capture)[1]).toBe('900.100.300')
  return { payment, capture: capture.body.id, job: await deadLetteredJob(capture.body.id) }
}

async function deadLetteredJob(subject: string): Promise<string> {
  const { jobs, clock } = tollgate.gateway
  await jobs.fastForward(clock.now() + 30 * MINUTE_MS)
  const { body } = await tollgate.manage('GET', '/jobs/parked')
  const job = body.jobs.find(({ subjectId }: { subjectId: string }) => subjectId === subject)
  expect(job).toMatchObject({ kind: 'end-attempt', lastError: 'the acquirer answered 12' })
  return job.id
}

describe('a capture that the acquirer does not process', () => {
  test('is closed as approved with the reference of the acquirer', async () => {
    const { payment, capture, job } = await rejectedCapture()
    const { status, body } = await close(job, approved)
    expect([status, body]).toEqual([200, { id: job, transactionId: capture, status: 'ACK', resultCode: '000.100.112' }])
    const read = await tollgate.send('GET', `/v1/payments/${capture}`)
    expect(read.body).toMatchObject({
      amount: '92.00',
      result: { code: '000.100.112' },
      resultDetails: {
        ConnectorTxID1: 'ARN-74500',
        ExtendedDescription: 'Approved, as the acquirer has confirmed to the operator of the gateway.',
      },
    })
    expect((await tollgate.manage('GET', '/jobs/parked')).body.jobs).toEqual([])
    expect(tollgate.logged.filter(({ audit }) => audit !== undefined)).toEqual([
      {
        level: 'error',
        audit: 'open message closed',
        job,
        transaction: capture,
        as: 'approved',
        reference: 'ARN-74500',
        reason: 'Acme confirmed it by telephone',
      },
    ])
    const [attempt] = await tollgate.gateway.storage.acquirerAttempts(capture)
    expect(attempt?.outcome).toBe('000.100.112')
    // The amount is captured, so that nothing is left to capture.
    const second = await tollgate.send('POST', `/v1/payments/${payment}`, { paymentType: 'CP', ...money })
    expect(summary(second)).toEqual([400, '700.400.100'])
  })

  test('is closed as declined, and its amount can be captured again', async () => {
    const { payment, capture, job } = await rejectedCapture()
    expect((await close(job, declined)).body).toMatchObject({ status: 'NOK', resultCode: '800.100.100' })
    expect(await codeOf(capture)).toBe('800.100.100')
    const second = await tollgate.send('POST', `/v1/payments/${payment}`, { paymentType: 'CP', ...money })
    expect(summary(second)[1]).toBe('900.100.300')
  })

  test('is decided by one of two operators', async () => {
    const { capture, job } = await rejectedCapture()
    const { storage } = tollgate.gateway
    // Both operators read the job before either of them decides.
    const [row] = [await storage.job(job)]
    const readJob = storage.job.bind(storage)
    Object.assign(storage, { job: async (id: string) => (id === job ? row : readJob(id)) })
    const answers = await Promise.all([close(job, approved), close(job, declined)])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
    const winner = answers.find(({ status }) => status === 200)
    expect(await codeOf(capture)).toBe(winner?.body.resultCode)
    expect(tollgate.logged.filter(({ audit }) => audit !== undefined).length).toBe(1)
  })

  test.each<readonly [string, object]>([
    ['without a reason', { as: 'declined' }],
    ['with an empty reason', { as: 'declined', reason: '' }],
    ['with a control character in its reason', { as: 'declined', reason: 'a\nb' }],
    ['as approved without a reference', { as: 'approved', reason: 'r' }],
    ['as declined with a reference', { ...declined, reference: 'R' }],
    ['as something else', { as: 'settled', reason: 'r' }],
  ])('is not closed %s', async (_, body) => {
    const { capture, job } = await rejectedCapture()
    expect((await close(job, body)).status).toBe(400)
    expect(await codeOf(capture)).toBe('900.100.300')
  })

  test('is logged without a card number in the reason', async () => {
    const { job } = await rejectedCapture()
    await close(job, { as: 'declined', reason: 'of card 4200 0000 0000 0000' })
    expect(tollgate.logged).toContainEqual(expect.objectContaining({ reason: 'of card **** **** **** ****' }))
  })
})

describe('a job is not closed', () => {
  test('while its message is still sent', async () => {
    const { job } = await rejectedCapture()
    await tollgate.manage('POST', `/jobs/${job}/retry`)
    const { status, text } = await close(job, declined)
    expect([status, text]).toEqual([409, expect.stringContaining('park it first')])
  })

  test('if it is no message to an acquirer', async () => {
    const { body } = await tollgate.send('POST', '/v1/payments', cardPayment({ paymentType: 'PA' }))
    const [job] = await tollgate.gateway.storage.jobsBefore('end-authorisation', '', 'g', 1)
    expect(job?.subject_id).toBe(body.id)
    await tollgate.manage('POST', `/jobs/${job?.id}/park`)
    const { status, text } = await close(job?.id ?? '', declined)
    expect([status, text]).toEqual([409, expect.stringContaining('no message to an acquirer')])
  })

  test.each([
    ['approved', 'NOK', approved],
    ['declined', 'ACK', declined],
  ])('as %s if its transaction has the status %s', async (_, status, body) => {
    const payment = (await pay('DB')).body.id
    const job = await deadLetteredJob(payment)
    const { storage, ids } = tollgate.gateway
    const [from] = await storage.transactions([payment])
    if (!from) throw new Error('the payment is not stored')
    const compareAndSets = [{ table: 'payment_transaction' as const, from, to: { ...from, status } }]
    await storage.commit({ id: ids.ordered(), expectedVersions: [], rows: {}, compareAndSets })
    expect((await close(job, body)).status).toBe(409)
    const other = body.as === 'approved' ? declined : approved
    expect((await close(job, other)).body).toMatchObject({ status })
  })
})
