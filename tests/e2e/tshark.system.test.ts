import { testHostProfile } from '@tollgate/connectors'
import { cardPayment, createHostConnector, testGateway, type TestGateway } from '@tollgate/gateway/testing'
import { ascii1987, decodeMessage, type Fields, type Value } from '@tollgate/iso8583'
import { type RunningSimulators, startSimulators } from '@tollgate/simulators'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Forwarder, forwardTo } from '../support/tcp-forwarder.ts'
import { decodeSession, hasTshark, type SharkMessage } from '../support/tshark.ts'

type Form = Readonly<Record<string, string>>

const HEADER_BYTES = 2
/** Fields of bytes that are no text. */
const binaryFields: ReadonlySet<number> = new Set([52, 53, 55, 64, 128])

const textOf = (number: number, value: Value): string =>
  typeof value === 'string'
    ? value
    : binaryFields.has(number)
      ? Buffer.from(value).toString('hex').toUpperCase()
      : Buffer.from(value).toString('latin1')

describe.skipIf(!hasTshark())('a session with an acquirer, decoded by Wireshark', () => {
  let gateway: TestGateway
  let host: RunningSimulators
  let forwarder: Forwarder

  beforeAll(async () => {
    const clock = { now: () => gateway.clock.now() }
    host = await startSimulators({ host: '127.0.0.1', port: 0, acquirerPort: 0, create: () => [], clock })
    forwarder = await forwardTo(host.acquirerAddress?.port ?? 0)
    const account = {
      name: 'external',
      profile: testHostProfile,
      addresses: [{ host: '127.0.0.1', port: forwarder.port }],
      terminalIds: ['TG000001'],
    }
    gateway = await testGateway({ external: (parts) => createHostConnector(account, parts) })
    gateway.gateway.acquirers.external?.open?.()
    await vi.waitFor(() => expect(gateway.logged).toContainEqual(expect.objectContaining({ event: 'ready' })))
    await haveSession()
    await gateway.gateway.acquirers.external?.close?.()
  })

  afterAll(async () => {
    forwarder.close()
    await gateway.close()
    await host.close()
  })

  /** Sends a message of each kind, with the largest of their optional fields. */
  async function haveSession(): Promise<void> {
    const send = async (path: string, form: Form) => (await gateway.send('POST', path, form)).body
    const pay = (form: Form) => send('/v1/payments', { ...cardPayment(), testMode: 'EXTERNAL', ...form })
    const followUp = (id: string, paymentType: string, amount: string) =>
      send(`/v1/payments/${id}`, { paymentType, amount, currency: 'EUR' })
    const hold = await pay({ paymentType: 'PA', ...address, ...basket })
    await followUp(hold.id, 'CP', '50.00')
    await followUp(hold.id, 'RV', '20.00')
    const sale = await pay({ paymentType: 'DB', ...terminal })
    await followUp(sale.id, 'RF', '92.00')
    await pay({ paymentType: 'CD' })
    await pay({ paymentType: 'PA', 'card.number': partlyApproved })
  }

  const partlyApproved = '4999990000000106'
  const address = {
    'billing.street1': 'Main Street 1',
    'billing.city': 'Berlin',
    'billing.postcode': '22222',
    'billing.country': 'DE',
    'customer.givenName': 'Jane',
    'customer.surname': 'Jones',
    'customer.email': 'jane@shop.example',
    'customer.ip': '192.0.2.1',
  }
  const basket = { 'cart.items[0].name': 'Tea', 'cart.items[0].quantity': '2', 'cart.items[0].price': '46.00' }
  const terminal = {
    transactionCategory: 'PO',
    'pos.entryMode': 'ICC',
    'pos.terminalId': '42',
    'pos.iccDataRequest': '9F2608000102030405060782025C009A032611289F02060000000092009F1A020276',
  }

  /** The values of our decoder as Wireshark shows them: bytes that are no text in hexadecimal digits. */
  function ownMessages(): readonly SharkMessage[] {
    return forwarder.forwarded.map(({ bytes }) => {
      const { type, fields } = decodeMessage<Fields>(ascii1987, bytes.subarray(HEADER_BYTES))
      const texts = Object.entries(fields).map(([number, value = '']) => [number, textOf(Number(number), value)])
      return { type, fields: Object.fromEntries(texts) }
    })
  }

  test('has no malformed message, and each value that our decoder finds', () => {
    const { messages, faults } = decodeSession(forwarder.forwarded)
    expect(faults).toBe(0)
    expect(messages).toEqual(ownMessages())
    const requests = ['0800', '0100', '0220', '0400', '0200', '0200', '0200', '0100', '0420', '0800']
    const answerOf = (type: string) => `${type.slice(0, 2)}${Number(type[2]) + 1}0`
    expect(messages.map(({ type }) => type)).toEqual(requests.flatMap((type) => [type, answerOf(type)]))
  })

  test('is malformed if a byte is missing, so that the check can fail', () => {
    const [first, ...rest] = forwarder.forwarded
    if (!first) throw new Error('nothing was recorded')
    // The length of the frame is that of the shorter message.
    const cut = Uint8Array.from(first.bytes.subarray(0, -1))
    cut[1] = (cut[1] ?? 0) - 1
    expect(decodeSession([{ from: 'client', bytes: cut }, ...rest]).faults).toBe(1)
  })
})
