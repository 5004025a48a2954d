import { createDecipheriv } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { sandboxIds } from '@tollgate/gateway'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AcquirerViews, type HostTransaction, hostTransactions, setFaults } from '../support/acquirer-host.ts'
import { databaseName, withoutTime } from '../support/durability.ts'
import { type Body, bodyOf, inParallel } from '../support/http.ts'
import { manage } from '../support/manage.ts'
import { cardPayment, type Form, followUpForm, post } from '../support/payments.ts'
import { cleanUp, type GatewayProcess, portIn, startGateway, temporaryFolder } from '../support/process.ts'
import { expectSettled, sqliteQuery, untilConnected } from '../support/settled.ts'

// The life of payments at terminals, with the simulator of the gateway (INTERNAL) and with the acquirer's host
// (EXTERNAL). Waits for the host are a twentieth of their length.

const data = temporaryFolder()
const query = sqliteQuery(join(data, databaseName))
let gateway: GatewayProcess
let host: AcquirerViews

beforeAll(async () => {
  gateway = await startGateway({
    data,
    env: { TOLLGATE_LOG: 'debug' },
    execArgv: ['--import', new URL('../support/short-waits.js', import.meta.url).href],
  })
  host = { url: `http://127.0.0.1:${portIn(gateway.stdout(), 'banks and wallets')}` }
  await untilConnected(gateway)
})

afterAll(cleanUp)

const without = (form: Form, ...names: readonly string[]): Form =>
  Object.fromEntries(Object.entries(form).filter(([name]) => !names.includes(name)))

/** Data of a chip that asks the issuer: 9F26 is the cryptogram of the card, 9F27 its kind. */
const cryptogram = '1122334455667788'
const chipData = `9F2608${cryptogram}9F27018082025C009F360200019A03260504`
/** Data of a chip that has approved a sale without the issuer: a certificate, and Y3 because no host was reached. */
const certificate = `9F2608${cryptogram}9F2701408A0259339A032605049F2103101112`

const chipCard: Form = {
  'pos.entryMode': 'ICC',
  'pos.terminalId': '4711',
  'pos.pinEntryCapability': 'PIN_ENTRY_AVAILABLE',
  'pos.panSequenceNumber': '1',
  'pos.iccDataRequest': chipData,
}

/** Blocks that only the acquirer can decrypt. Each is unique, so that it can be searched for. */
const blocks = { card: 'C0DEC0DEC0DEC0DE5ED1', pin: 'D1A1D1A1B10CB10C', keyOfCard: 'FFFF9876543210E00001' } as const
const encryptedCard: Form = {
  ...chipCard,
  'pos.encryptedSred.data': blocks.card,
  'pos.encryptedSred.ksn': blocks.keyOfCard,
  'pos.encryptedPin.data': blocks.pin,
  'pos.encryptedPin.ksn': 'FFFF9876543210E00002',
}

/** The form of a payment without cvv, which no terminal has. */
const payment = (changes: Form): Form => without(cardPayment(changes), 'card.cvv')
const encryptedPayment = (changes: Form): Form =>
  without(
    payment({ ...encryptedCard, ...changes }),
    'card.number',
    'card.holder',
    'card.expiryMonth',
    'card.expiryYear',
  )

async function send(path: string, form: Form): Promise<Body> {
  const answer = await gateway.client.send(post(path, form))
  const body = bodyOf(answer)
  expect(answer.status).toBeLessThan(500)
  return body
}

/** Sends a form, and expects that a later read shows the payment as its answer did. */
async function pay(form: Form): Promise<Body> {
  const answer = await gateway.client.send(post('/v1/payments', form))
  const body = bodyOf(answer)
  expect(withoutTime(await gateway.get(body.id))).toEqual(withoutTime(answer))
  return body
}

const followUp = ({ id }: Body, type: string, amount: string, changes: Form = {}) =>
  send(`/v1/payments/${id}`, followUpForm(type, { amount, ...changes }))

const detailsOf = (body: Body): Readonly<Record<string, string>> => Object(body['resultDetails'])
const terminalAnswerOf = (body: Body): Readonly<Record<string, unknown>> => Object(body['pos'])

/** The transaction at the host, by the references in an answer. */
async function atHost(body: Body): Promise<HostTransaction | undefined> {
  const original = detailsOf(body)['ConnectorTxID2'] ?? ''
  const [stan, transmittedAt] = [original.slice(4, 10), original.slice(10, 20)]
  return (await hostTransactions(host)).find((row) => row.stan === stan && row.transmittedAt === transmittedAt)
}

/** The elements of private data: a tag of two characters, a length of three digits, a value. */
function elementsOf(text = ''): Readonly<Record<string, string>> {
  const elements: Record<string, string> = {}
  for (let rest = text; rest !== ''; ) {
    const end = 5 + Number(rest.slice(2, 5))
    elements[rest.slice(0, 2)] = rest.slice(5, end)
    rest = rest.slice(end)
  }
  return elements
}

let sales = 0
/** A sale that card and terminal have approved, with a number of its own. */
function offlineSale(changes: Form): Form {
  sales += 1
  const number = { 'pos.transactionSequenceNumber': String(sales) }
  return payment({ ...chipCard, 'pos.iccDataRequest': certificate, ...number, ...changes })
}

/** Approvals, and an amount that the issuer declines for a wrong PIN, by test mode. */
const modes = {
  INTERNAL: { approved: '000.100.110', wrongPin: '88855.00', noFunds: '88851.00' },
  EXTERNAL: { approved: '000.100.112', wrongPin: '10000.55', noFunds: '10000.51' },
} as const

describe.each(['INTERNAL', 'EXTERNAL'] as const)('with testMode=%s', (testMode) => {
  const { approved, wrongPin, noFunds } = modes[testMode]
  const isExternal = testMode === 'EXTERNAL'

  test.each([
    ['MANUAL', 'PIN_ENTRY_UNAVAILABLE', '012'],
    ['MAGSTRIPE', 'PIN_ENTRY_AVAILABLE', '901'],
    ['MAGSTRIPE_AS_FALLBACK', 'PIN_ENTRY_AVAILABLE', '801'],
    ['ICC', 'PIN_ENTRY_AVAILABLE', '051'],
    ['NFC_ICC', 'PIN_ENTRY_UNAVAILABLE', '072'],
    ['NFC_MAGSTRIPE', 'PIN_ENTRY_UNAVAILABLE', '912'],
  ])('a card is read by %s, with %s', async (entryMode, capability, code) => {
    const terminal = { 'pos.entryMode': entryMode, 'pos.terminalId': '4711', 'pos.pinEntryCapability': capability }
    const body = await pay(payment({ testMode, ...terminal }))
    expect(body.result.code).toBe(approved)
    expect(terminalAnswerOf(body)).toMatchObject({
      clearing: { authorizationAcquirerCode: '00', authorizationIssuerCode: expect.stringMatching(/^[0-9A-Z]{6}$/) },
      merchantId: 'TOLLGATE0000001',
      statusText: expect.stringMatching(/^AUTHCODE[0-9A-Z]{6}$/),
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
    })
    if (isExternal) expect((await atHost(body))?.pointOfSale).toMatchObject({ entryMode: code, condition: '00' })
  })

  test('an order by phone is typed in at the terminal', async () => {
    const terminal = { 'pos.entryMode': 'MANUAL', 'pos.terminalId': '4711', transactionCategory: 'MOTO' }
    const body = await pay(payment({ testMode, ...terminal }))
    expect(body.result.code).toBe(approved)
    if (isExternal) expect((await atHost(body))?.pointOfSale).toMatchObject({ entryMode: '010', condition: '08' })
  })

  test('a chip gets the answer of its issuer, also to a decline', async () => {
    const [accepted, declined] = [
      await pay(payment({ testMode, ...chipCard })),
      await pay(payment({ testMode, ...chipCard, amount: wrongPin })),
    ]
    expect([accepted.result.code, declined.result.code]).toEqual([approved, '800.100.166'])
    expect(terminalAnswerOf(declined)['statusText']).toBe(isExternal ? 'WRONGPIN' : 'NOTAUTHORISED')
    const texts = [accepted, declined].map((body) => String(terminalAnswerOf(body)['iccDataResponse']))
    expect(texts.map((text) => ['8A023030', '8A023535'].filter((code) => text.includes(code)))).toEqual([
      ['8A023030'],
      ['8A023535'],
    ])
    if (isExternal) expect(texts.map(chipCryptogramIn)).toEqual([cryptogram, cryptogram])
  })

  test('a preauthorisation of an encrypted card is captured in parts, and refunded at the terminal', async () => {
    const hold = await pay(encryptedPayment({ testMode, paymentType: 'PA' }))
    expect(hold).not.toHaveProperty('card.bin')
    const captures = [await followUp(hold, 'CP', '42.00'), await followUp(hold, 'CP', '50.00', { sequence: 'FINAL' })]
    const refund = await followUp(captures[0] ?? hold, 'RF', '20.00', encryptedCard)
    expect([hold, ...captures, refund].map(({ result }) => result.code)).toEqual(Array(4).fill(approved))
    expect(terminalAnswerOf(refund)).toMatchObject({ clearing: { authorizationAcquirerCode: '00' } })
    if (!isExternal) return
    expect(await atHost(hold)).toMatchObject({
      state: 'partlyRefunded',
      capturedMinor: 9200,
      refundedMinor: 2000,
      card: 'encrypted',
      pointOfSale: { entryMode: '051', condition: '00', hasPin: true, hasChipData: true },
    })
    // A capture has the circumstances of its authorisation, but nothing that the terminal has encrypted.
    expect((await atHost(captures[0] ?? hold))?.pointOfSale).toMatchObject({
      entryMode: '051',
      condition: '00',
      hasPin: false,
      hasChipData: false,
    })
    expect((await atHost(refund))?.pointOfSale).toMatchObject({ entryMode: '051', hasPin: true, hasChipData: true })
  })

  test('a debit of an encrypted card is reversed, but neither charged again nor registered', async () => {
    const debit = await pay(encryptedPayment({ testMode }))
    expect((await followUp(debit, 'RB', '9.20')).result.code).toBe('700.500.004')
    expect((await followUp(debit, 'RV', '92.00')).result.code).toBe(approved)
    if (isExternal) expect(await atHost(debit)).toMatchObject({ state: 'reversed', reversedMinor: 9200 })
    const registered = await send('/v1/payments', encryptedPayment({ testMode, createRegistration: 'true' }))
    expect(registered.result.code).toBe('100.150.100')
  })

  test('a sale that the card has approved offline is accepted, whatever the issuer would say', async () => {
    const sale = await pay(offlineSale({ testMode, amount: noFunds }))
    expect(sale.result.code).toBe(approved)
    expect(terminalAnswerOf(sale)).toMatchObject({
      clearing: { authorizationIssuerCode: 'Y3' },
      statusText: 'AUTHCODEY3',
    })
    expect(terminalAnswerOf(sale)).not.toHaveProperty('iccDataResponse')
    if (isExternal) {
      expect(await atHost(sale)).toMatchObject({
        type: '0220',
        kind: 'sale',
        approvalCode: expect.stringMatching(/^Y3 *$/),
        pointOfSale: { entryMode: '051', condition: '00', localTime: '0504101112', hasPin: false, hasChipData: true },
      })
    }
    expect((await followUp(sale, 'RF', '20.00')).result.code).toBe(approved)
  })

  test('one of many uploads of the same sale is accepted, and the others name it', async () => {
    const form = offlineSale({ testMode })
    const bodies: Body[] = []
    await inParallel(
      Array.from({ length: 5 }, () => form),
      5,
      async (each) => {
        bodies.push(await send('/v1/payments', each))
      },
    )
    const accepted = bodies.filter(({ result }) => result.code === approved)
    const others = bodies.filter((body) => !accepted.includes(body))
    expect([accepted.length, others.length]).toEqual([1, 4])
    for (const other of others) {
      expect([other.result.code, detailsOf(other)['DuplicateOf']]).toEqual(['800.110.100', accepted[0]?.id])
    }
    if (isExternal) {
      const number = form['pos.transactionSequenceNumber']
      const sent = (await hostTransactions(host)).filter(
        ({ kind, pointOfSale }) => kind === 'sale' && elementsOf(pointOfSale.sale)['P4'] === number,
      )
      expect(sent).toHaveLength(1)
    }
  })

  test('an offline sale is refused on a channel without the setting', async () => {
    const path = `/entities/${sandboxIds.channel}`
    await manage(gateway, 'PATCH', path, { settings: { offlineSales: false } })
    const refused = await send('/v1/payments', offlineSale({ testMode }))
    await manage(gateway, 'PATCH', path, { settings: { offlineSales: true } })
    expect(refused.result.code).toBe('600.200.201')
  })
})

/** The cryptogram of the card in the answer of the test issuer (tag 91), by its published key and the code in 8A. */
function chipCryptogramIn(issuerData: string): string {
  const [, encrypted = '', code = ''] = /910A([0-9A-F]{16})([0-9A-F]{4})/.exec(issuerData) ?? []
  const key = Buffer.from('0123456789ABCDEFFEDCBA9876543210', 'hex')
  const block = createDecipheriv('des-ede-ecb', key, null).setAutoPadding(false).update(Buffer.from(encrypted, 'hex'))
  return Buffer.from(block.map((byte, index) => byte ^ (Buffer.from(code, 'hex')[index] ?? 0)))
    .toString('hex')
    .toUpperCase()
}

// Columns: the parameter, its value, its place at the host, the value there.
test.each<readonly [string, string, (transaction: HostTransaction) => unknown, unknown]>([
  ['pos.terminalId', '20071103', ({ pointOfSale }) => elementsOf(pointOfSale.terminal)['T1'], '20071103'],
  ['pos.deviceId', '700123', ({ pointOfSale }) => elementsOf(pointOfSale.terminal)['T2'], '700123'],
  ['pos.deviceType', 'MIURA_M010', ({ pointOfSale }) => elementsOf(pointOfSale.terminal)['T3'], 'MIURA_M010'],
  ['pos.location.accuracy', '12', ({ pointOfSale }) => elementsOf(pointOfSale.sale)['P1'], '12'],
  ['pos.location.latitude', '48.13712', ({ pointOfSale }) => elementsOf(pointOfSale.sale)['P2'], '48.13712'],
  ['pos.location.longitude', '-11.5754', ({ pointOfSale }) => elementsOf(pointOfSale.sale)['P3'], '-11.5754'],
  ['pos.transactionSequenceNumber', '000017', ({ pointOfSale }) => elementsOf(pointOfSale.sale)['P4'], '000017'],
  ['pos.transactionSource', 'POS', ({ pointOfSale }) => elementsOf(pointOfSale.sale)['P5'], 'POS'],
  ['pos.panSequenceNumber', '2', ({ pointOfSale }) => pointOfSale.cardSequence, '002'],
  ['pos.entryMode', 'NFC_ICC', ({ pointOfSale }) => pointOfSale.entryMode, '071'],
  ['pos.pinEntryCapability', 'PIN_ENTRY_UNAVAILABLE', ({ pointOfSale }) => pointOfSale.entryMode, '052'],
  ['pos.encryptedPin.data', blocks.pin, ({ pointOfSale }) => pointOfSale.hasPin, true],
  ['pos.iccDataRequest', chipData, ({ pointOfSale }) => pointOfSale.hasChipData, true],
])('%s reaches the acquirer', async (name, value, place, expected) => {
  const body = await pay(payment({ testMode: 'EXTERNAL', ...chipCard, [name]: value }))
  expect(body.result.code).toBe(modes.EXTERNAL.approved)
  const transaction = await atHost(body)
  expect(transaction && place(transaction)).toBe(expected)
})

test('an encrypted card of the greatest length reaches the acquirer', async () => {
  const block = `A${'0'.repeat(2_046)}`
  const [first, other] = [
    await pay(encryptedPayment({ testMode: 'EXTERNAL', 'pos.encryptedSred.data': `${block}1` })),
    await pay(encryptedPayment({ testMode: 'EXTERNAL', 'pos.encryptedSred.data': `${block}2` })),
  ]
  const hashes = await Promise.all([first, other].map(async (body) => (await atHost(body))?.cardHash))
  expect([first.result.code, other.result.code]).toEqual(Array(2).fill(modes.EXTERNAL.approved))
  expect(new Set(hashes).size).toBe(2)
})

test('the hold of an encrypted card is reversed after a wrong answer, without the card', async () => {
  await setFaults(host, [{ knob: 'wrongAmount', types: ['0100'], next: 1 }])
  const hold = await pay(encryptedPayment({ testMode: 'EXTERNAL', paymentType: 'PA' }))
  expect(hold.result.code).toBe('900.100.301')
  const [newest] = (await hostTransactions(host)).toReversed()
  expect(newest).toMatchObject({ kind: 'authorisation', state: 'reversed', card: 'encrypted' })
})

test('the advice of an offline sale is repeated after a wrong answer, and is not reversed', async () => {
  await setFaults(host, [{ knob: 'wrongAmount', types: ['0220'], next: 1 }])
  const sale = await pay(offlineSale({ testMode: 'EXTERNAL', amount: '61.00' }))
  expect([sale.result.code, detailsOf(sale)['AcquirerResponse']]).toEqual([modes.EXTERNAL.approved, '00'])
  const sent = (await hostTransactions(host)).filter(({ requestedMinor }) => requestedMinor === 6100)
  expect(sent).toMatchObject([{ type: '0220', kind: 'sale', state: 'captured' }])
})

test('a repeat of an advice that was lost carries the sale, without data of the chip', async () => {
  await setFaults(host, [{ knob: 'dropRequest', types: ['0220'], next: 1 }])
  const sale = await pay(offlineSale({ testMode: 'EXTERNAL', amount: '62.00' }))
  expect(sale.result.code).toBe(modes.EXTERNAL.approved)
  const sent = (await hostTransactions(host)).filter(({ requestedMinor }) => requestedMinor === 6200)
  expect(sent).toMatchObject([
    {
      kind: 'sale',
      state: 'captured',
      approvalCode: expect.stringMatching(/^Y3 *$/),
      pointOfSale: { entryMode: '051', localTime: '0504101112', hasChipData: false },
    },
  ])
})

test('the books of gateway and acquirer are equal', async () => {
  expect(await expectSettled(gateway, query, host)).toBeDefined()
})

test('no file and no log has a block that a terminal encrypted, or data of a chip', async () => {
  const files = readdirSync(data, { recursive: true, encoding: 'utf8' })
    .map((name) => join(data, name))
    .filter((path) => statSync(path).isFile())
  const stored = Buffer.concat(files.map((path) => readFileSync(path))).toString('latin1')
  const kept = `${stored}${gateway.stdout()}${gateway.stderr()}`
  const secrets = [blocks.card, blocks.pin, chipData, certificate, cryptogram]
  const searched = secrets.flatMap((secret) => [
    secret,
    secret.toLowerCase(),
    Buffer.from(secret, 'hex').toString('latin1'),
  ])
  expect(searched.filter((secret) => kept.includes(secret))).toEqual([])
  // Proves that the search works.
  expect([stored, gateway.stdout()].map((text) => text.includes(sandboxIds.channel))).toEqual([true, true])
})
