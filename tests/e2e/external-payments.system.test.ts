import { join } from 'node:path'
import { sandboxIds } from '@tollgate/gateway'
import { freePort } from '@tollgate/storage/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type AcquirerViews,
  type HostTransaction,
  hostTransactions,
  openHost,
  setFaults,
  settingsForHost,
} from '../support/acquirer-host.ts'
import { databaseName, withoutTime } from '../support/durability.ts'
import { APPROVED, externalPayment, NOT_REACHED } from '../support/external-load.ts'
import { type Body, bodyOf } from '../support/http.ts'
import { manage } from '../support/manage.ts'
import { type Form, followUpForm, post } from '../support/payments.ts'
import { cleanUp, type GatewayProcess, portIn, startGateway, temporaryFolder } from '../support/process.ts'
import { expectSettled, sqliteQuery, untilConnected } from '../support/settled.ts'

// The life of payments with `testMode=EXTERNAL`, at the gateway and at the acquirer in its process.

const data = temporaryFolder()
const query = sqliteQuery(join(data, databaseName))
let gateway: GatewayProcess
let host: AcquirerViews

beforeAll(async () => {
  gateway = await startGateway({ data })
  host = { url: `http://127.0.0.1:${portIn(gateway.stdout(), 'banks and wallets')}` }
  await untilConnected(gateway)
})

afterAll(cleanUp)

/** Sends a form, and expects that a later read shows the payment as its answer did. */
async function send(path: string, form: Form, to = gateway): Promise<Body> {
  const answer = await to.client.send(post(path, form))
  const body = bodyOf(answer)
  expect(withoutTime(await to.get(body.id))).toEqual(withoutTime(answer))
  return body
}

const pay = (changes: Form = {}, to = gateway) => send('/v1/payments', externalPayment(changes), to)

/** Sends a follow-up, which does not name the test mode. */
const followUp = ({ id }: Body, type: string, amount: string, changes: Form = {}, to = gateway) =>
  send(`/v1/payments/${id}`, followUpForm(type, { amount, ...changes }), to)

const detailsOf = (body: Body): Readonly<Record<string, string>> => Object(body['resultDetails'])

/** The transaction at the acquirer, by the references in an answer: trace number and time of field 90. */
async function atHost(body: Body): Promise<HostTransaction | undefined> {
  const original = detailsOf(body)['ConnectorTxID2'] ?? ''
  const [type, stan, transmittedAt] = [original.slice(0, 4), original.slice(4, 10), original.slice(10, 20)]
  return (await hostTransactions(host)).find(
    (row) => row.type === type && row.stan === stan && row.transmittedAt === transmittedAt,
  )
}

test('a preauthorisation is captured in parts, the last of which ends its hold', async () => {
  const hold = await pay({ paymentType: 'PA' })
  const [first, second] = [await followUp(hold, 'CP', '42.00'), await followUp(hold, 'CP', '10.00')]
  expect(await atHost(hold)).toMatchObject({ state: 'partlyCaptured', authorisedMinor: 9200, capturedMinor: 5200 })
  const last = await followUp(hold, 'CP', '20.00', { sequence: 'FINAL' })
  expect([hold, first, second, last].map(({ result }) => result.code)).toEqual(Array(4).fill(APPROVED))
  expect(await atHost(hold)).toMatchObject({ state: 'captured', authorisedMinor: 9200, capturedMinor: 7200 })
  expect(await Promise.all([first, second, last].map(atHost))).toMatchObject([
    { kind: 'capture', capturedMinor: 4200 },
    { kind: 'capture', capturedMinor: 1000 },
    { kind: 'capture', capturedMinor: 2000 },
  ])
  const refused = await gateway.client.send(post(`/v1/payments/${hold.id}`, followUpForm('CP', { amount: '1.00' })))
  expect(bodyOf(refused).result.code).toBe('700.300.300')
})

test('a preauthorisation is reversed in part, then in full', async () => {
  const hold = await pay({ paymentType: 'PA' })
  expect((await followUp(hold, 'RV', '32.00')).result.code).toBe(APPROVED)
  expect(await atHost(hold)).toMatchObject({ state: 'open', authorisedMinor: 6000, reversedMinor: 3200 })
  expect((await followUp(hold, 'RV', '60.00')).result.code).toBe(APPROVED)
  expect(await atHost(hold)).toMatchObject({ state: 'reversed', authorisedMinor: 0, reversedMinor: 9200 })
})

test('a capture is refunded, and another one is reversed', async () => {
  const hold = await pay({ paymentType: 'PA' })
  const [first, second] = [await followUp(hold, 'CP', '50.00'), await followUp(hold, 'CP', '42.00')]
  const refund = await followUp(first, 'RF', '20.00')
  expect((await followUp(second, 'RV', '42.00')).result.code).toBe(APPROVED)
  expect(await atHost(refund)).toMatchObject({ kind: 'refund', state: 'credited', refundedMinor: 2000 })
  expect(await atHost(second)).toMatchObject({ kind: 'capture', state: 'reversed' })
  expect(await atHost(hold)).toMatchObject({ capturedMinor: 5000, refundedMinor: 2000 })
})

test('a debit is refunded in parts, charged again, and another one is reversed', async () => {
  const [sale, reversed] = [await pay(), await pay()]
  await followUp(sale, 'RF', '30.00')
  expect(await atHost(sale)).toMatchObject({ kind: 'sale', state: 'partlyRefunded', refundedMinor: 3000 })
  await followUp(sale, 'RF', '62.00')
  expect(await atHost(sale)).toMatchObject({ state: 'refunded', refundedMinor: 9200 })
  const rebill = await followUp(sale, 'RB', '9.20')
  expect(await atHost(rebill)).toMatchObject({ kind: 'sale', state: 'captured', capturedMinor: 920 })
  expect((await followUp(reversed, 'RV', '92.00')).result.code).toBe(APPROVED)
  expect(await atHost(reversed)).toMatchObject({ kind: 'sale', state: 'reversed' })
})

test('an incremental authorisation raises the hold', async () => {
  const hold = await pay({ paymentType: 'PA' })
  const increment = await followUp(hold, 'PA', '8.00', {
    'standingInstruction.mode': 'REPEATED',
    'standingInstruction.source': 'MIT',
    'standingInstruction.type': 'UNSCHEDULED',
    'standingInstruction.industryPractice': 'INCREMENTAL_AUTH',
  })
  expect(increment.result.code).toBe(APPROVED)
  expect(await atHost(hold)).toMatchObject({ state: 'open', authorisedMinor: 10_000 })
  expect((await followUp(hold, 'CP', '100.00')).result.code).toBe(APPROVED)
  expect(await atHost(hold)).toMatchObject({ state: 'captured', capturedMinor: 10_000 })
})

// Columns: the payment, the changes of its form, the transaction at the acquirer.
test.each<readonly [string, Form, Partial<HostTransaction>]>([
  ['a credit', { paymentType: 'CD' }, { kind: 'refund', state: 'credited', refundedMinor: 9200 }],
  [
    'a payout',
    { paymentType: 'CD', transactionProcessingCode: 'PAYMENT' },
    { kind: 'payout', state: 'credited', refundedMinor: 9200 },
  ],
  [
    'an account verification',
    { paymentType: 'PA', amount: '0.00' },
    { kind: 'verification', state: 'approved', responseCode: '85' },
  ],
])('%s is approved by the acquirer', async (_, changes, transaction) => {
  const body = await pay(changes)
  expect([body.result.code, await atHost(body)]).toMatchObject([APPROVED, transaction])
})

test('the payment of a lost connection is reversed on the next one before it is answered', async () => {
  await setFaults(host, [{ knob: 'close', types: ['0200'], next: 1 }])
  const answer = await gateway.client.send(post('/v1/payments', externalPayment()))
  await setFaults(host, [])
  expect(bodyOf(answer).result.code).toBe('900.100.301')
  expect((await hostTransactions(host)).at(-1)).toMatchObject({ kind: 'sale', state: 'reversed' })
})

test('the answer has the details of the acquirer', async () => {
  const body = await pay({
    paymentType: 'PA',
    'card.cvv': '000',
    'billing.street1': 'Main Street 1',
    'billing.city': 'Berlin',
    'billing.postcode': '22222',
    'billing.country': 'DE',
  })
  const { rrn, stan, transmittedAt } = (await atHost(body)) ?? {}
  expect(detailsOf(body)).toMatchObject({
    clearingInstituteName: 'Tollgate test host',
    AcquirerResponse: '00',
    ConnectorTxID1: rrn,
    ConnectorTxID2: `0100${stan}${transmittedAt}${'400123'.padStart(11, '0')}${'0'.repeat(11)}`,
    ConnectorTxID3: expect.stringMatching(/^[0-9A-Z]{6}$/),
    CardholderInitiatedTransactionID: expect.stringMatching(/^4\d{14}$/),
  })
  expect(body.result).toMatchObject({ avsResponse: 'Z', cvvResponse: 'N' })
})

// Columns: the changes of the form, the result code, the response of the acquirer. Each row has a card of its own,
// because the advice of an issuer forbids further attempts with its card.
test.each<readonly [Form, string, string]>([
  [{ 'card.number': '4999990000000056' }, '800.100.152', '05'],
  [{ 'card.number': '4999990000000510' }, '800.100.155', '51'],
  [{ 'card.number': '4999990000000544' }, '800.100.157', '54'],
  [{ 'card.number': '5599990000000651', paymentBrand: 'MASTER' }, '300.100.100', '65'],
  [{ amount: '10000.51', 'card.number': '4111111111111111' }, '800.100.155', '51'],
  [{ amount: '10000.91', 'card.number': '4012888888881881' }, '900.100.400', '91'],
  [{ amount: '10000.61', paymentType: 'PA', 'card.number': '4200000000000026' }, '800.100.162', '61'],
  [{ amount: '10000.57', paymentType: 'CD' }, '800.100.170', '57'],
])('%s is declined with %s by the response %s', async (changes, code, response) => {
  const body = await pay(changes)
  expect([body.result.code, detailsOf(body)['AcquirerResponse']]).toEqual([code, response])
  expect(await atHost(body)).toMatchObject({ state: 'declined', responseCode: response })
})

test('a partial approval is reversed, unless the channel accepts it', async () => {
  const partial = { 'card.number': '4999990000000106' }
  const refused = await pay(partial)
  expect(refused.result.code).toBe('800.100.155')
  expect(await atHost(refused)).toMatchObject({ responseCode: '10', state: 'reversed', reversedMinor: 4600 })
  const path = `/entities/${sandboxIds.channel}`
  await manage(gateway, 'PATCH', path, { settings: { partialApproval: true } })
  const accepted = await pay(partial)
  await manage(gateway, 'PATCH', path, { settings: { partialApproval: null } })
  expect([accepted.result.code, accepted['amount']]).toEqual(['000.000.001', '46.00'])
  expect(await atHost(accepted)).toMatchObject({ responseCode: '10', state: 'captured', authorisedMinor: 4600 })
})

test('a registration is verified, and pays at the acquirer', async () => {
  const { paymentType: _, ...account } = externalPayment({ amount: '0.00' })
  const before = (await hostTransactions(host)).length
  const registration = bodyOf(await gateway.client.send(post('/v1/registrations', account)))
  const [verification] = (await hostTransactions(host)).slice(before)
  expect(verification).toMatchObject({ kind: 'verification', state: 'approved', responseCode: '85' })
  const { entityId = '', amount = '', currency = '', testMode = '' } = externalPayment()
  const form = { entityId, amount, currency, testMode, paymentType: 'DB' }
  const payment = await send(`/v1/registrations/${registration.id}/payments`, form)
  const stored = { state: 'captured', pointOfSale: { entryMode: '100', condition: '59' } }
  expect([payment.result.code, await atHost(payment)]).toMatchObject([APPROVED, stored])

  const declined = await gateway.client.send(
    post('/v1/registrations', { ...account, 'card.number': '4999990000000148' }),
  )
  expect(bodyOf(declined).result.code).toBe('800.100.151')
})

test('a payment of a chip card at a terminal has the data of the chip and the fields of the answer', async () => {
  const body = await pay({
    'pos.entryMode': 'ICC',
    'pos.terminalId': '42',
    transactionCategory: 'PO',
    'pos.iccDataRequest':
      '9F2608000102030405060782025C00950500000000009A032611289C01005F2A0209789F02060000000092009F1A0202769F3602000A',
  })
  const { rrn } = (await atHost(body)) ?? {}
  expect([body.result.code, detailsOf(body)['ConnectorTxID1']]).toEqual([APPROVED, rrn])
  expect(Object(body['pos'])).toMatchObject({
    clearing: { authorizationAcquirerCode: '00', identifier: rrn },
    iccDataResponse: expect.stringContaining('8A023030'),
  })
})

test('the hold of an expired preauthorisation is released at the acquirer', async () => {
  const hold = await pay({ paymentType: 'PA' })
  await manage(gateway, 'POST', '/clock', { advance: 'P8D' })
  expect(await atHost(hold)).toMatchObject({ state: 'reversed', authorisedMinor: 0 })
})

test('the books of gateway and acquirer are equal', async () => {
  // Only the refused partial approval and the payment of the lost connection were reversed.
  expect(await expectSettled(gateway, query, host)).toMatchObject({ reversals: 2 })
})

test('without an acquirer, the simulator in the process of the gateway approves', async () => {
  const alone = await startGateway({ data: temporaryFolder(), env: { TOLLGATE_ACQUIRER_PORT: 'off' } })
  const body = await pay({ paymentType: 'PA' }, alone)
  expect([body.result.code, (await followUp(body, 'CP', '92.00', {}, alone)).result.code]).toEqual([APPROVED, APPROVED])
  expect(detailsOf(body)['clearingInstituteName']).not.toBe('Tollgate test host')
})

describe('while the acquirer is down', () => {
  const folder = temporaryFolder()
  const queryOfDown = sqliteQuery(join(folder, databaseName))
  let down: GatewayProcess
  let acquirerPort: string
  beforeAll(async () => {
    acquirerPort = await freePort()
    down = await startGateway({ data: folder, env: settingsForHost(acquirerPort) })
  })

  const open = () => queryOfDown(`SELECT id FROM payment_transaction WHERE status NOT IN ('ACK', 'NOK')`)
  const jobs = () => queryOfDown(`SELECT id FROM job WHERE kind = 'end-attempt'`)

  test.each(['PA', 'DB', 'CD'])('%s is not sent, and is not open', async (paymentType) => {
    const body = await pay({ paymentType }, down)
    expect([body.result.code, await open(), await jobs()]).toEqual([NOT_REACHED, [], []])
  })

  test('a capture is not sent, and reserves no amount', async () => {
    const running = await openHost(acquirerPort)
    await untilConnected(down)
    const hold = await pay({ paymentType: 'PA' }, down)
    const logged = down.stdout().length
    await running.close()
    await expect.poll(() => down.stdout().slice(logged)).toContain('"event":"lost"')
    const capture = await followUp(hold, 'CP', '92.00', {}, down)
    expect([capture.result.code, await open(), await jobs()]).toEqual([NOT_REACHED, [], []])
    const again = await openHost(acquirerPort)
    await untilConnected(down)
    // The new acquirer does not know the authorisation.
    expect(detailsOf(await followUp(hold, 'CP', '92.00', {}, down))['AcquirerResponse']).toBe('25')
    await again.close()
  })
})
