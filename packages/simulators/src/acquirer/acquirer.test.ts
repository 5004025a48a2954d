import { connect, createServer } from 'node:net'
import { encodeFrame, encodeMessage, headerNames, isHeaderName } from '@tollgate/iso8583'
import { afterEach, describe, expect, test } from 'vitest'
import type { Simulator } from '../simulator.ts'
import { startSimulators, type RunningSimulators } from '../start-simulators.ts'
import { type Acquirer, type AcquirerOptions, createAcquirer, type ListenerAddress } from './acquirer.ts'
import type { AcquirerFault, KnobName } from './faults.ts'
import { hostSpecs } from './host-message.ts'
import { networkMessage, originalDataOf, testMessage } from './testing/messages.ts'
import { TestClient } from './testing/test-client.ts'
import { newestTransactions } from './views.ts'

const environment = {
  url: '',
  clock: { now: () => Date.UTC(2026, 10, 20) },
  random: (bytes: number) => new Uint8Array(bytes),
}

const acquirers: Acquirer[] = []
const clients: TestClient[] = []

/** Timers that the test runs. */
interface DueCall {
  readonly delayMs: number
  readonly callback: () => void
}

interface TestAcquirer {
  readonly acquirer: Acquirer
  readonly address: ListenerAddress
  readonly timers: DueCall[]
  readonly client: () => Promise<TestClient>
}

async function start(options: AcquirerOptions = {}): Promise<TestAcquirer> {
  const timers: DueCall[] = []
  const after = (delayMs: number, callback: () => void): void => void timers.push({ delayMs, callback })
  const acquirer = await createAcquirer(environment, { after, ...options })
  acquirers.push(acquirer)
  const address = await acquirer.listen('127.0.0.1', 0)
  return {
    acquirer,
    address,
    timers,
    async client() {
      const client = await TestClient.signedOn(address, options.header, options.spec)
      clients.push(client)
      return client
    },
  }
}

afterEach(async () => {
  for (const { socket } of clients.splice(0)) socket.destroy()
  await Promise.all(acquirers.splice(0).map((acquirer) => acquirer.close()))
})

const fault = (knob: KnobName, more: Partial<AcquirerFault> = {}): AcquirerFault => ({
  knob,
  value: 1,
  types: ['0200'],
  seed: 1,
  ...more,
})

const sale = (stan = 1) => testMessage({ type: '0200', stan })
const echo = networkMessage('301', 999)

const statesOf = ({ acquirer }: TestAcquirer): readonly string[] =>
  newestTransactions(acquirer.host.state, {}, 100)
    .toReversed()
    .map(({ stan, state }) => `${stan} ${state}`)

describe.each(headerNames.filter(isHeaderName))('the header %s', (header) => {
  test.each(['ascii1987', 'binary1987'] as const)('carries messages of %s', async (spec) => {
    const host = await start({ header, spec })
    const client = await host.client()
    expect(await client.code(sale())).toBe('00')
    expect(statesOf(host)).toEqual(['000001 captured'])
  })
})

describe('a connection', () => {
  test('signs on for itself only', async () => {
    const host = await start()
    const first = await host.client()
    const second = new TestClient(host.address)
    clients.push(second)
    expect(await second.code(sale(2))).toBe('91')
    expect(await second.code(echo)).toBe('00')
    expect(await first.code(sale(1))).toBe('00')
    expect(statesOf(host)).toEqual(['000001 captured'])
  })

  test('can send many messages at once, and gets their answers in order', async () => {
    const host = await start()
    const client = await host.client()
    const stans = Array.from({ length: 50 }, (_, index) => index + 1)
    for (const stan of stans) client.send(sale(stan))
    for (const stan of stans) expect((await client.next())?.fields[11]).toBe(String(stan).padStart(6, '0'))
    expect(host.acquirer.host.state.transactions.size).toBe(50)
  })

  test('ignores answers and control frames', async () => {
    const host = await start()
    const client = await host.client()
    client.send({ ...sale(), type: '0210' })
    client.write(Uint8Array.of(0, 0))
    expect(await client.code(echo)).toBe('00')
  })

  test('whose client resets it ends, and its messages count', async () => {
    const host = await start()
    const client = await host.client()
    expect(await client.code(sale())).toBe('00')
    client.socket.resetAndDestroy()
    await client.closed
    expect(await (await host.client()).code({ ...sale(), type: '0201' })).toBe('00')
  })

  test('is served by an injected listener', async () => {
    let served = 0
    const host = await start({
      createListener: (serve) =>
        createServer((socket) => {
          served += 1
          serve(socket)
        }),
    })
    await host.client()
    expect(served).toBe(1)
  })
})

describe('a message that cannot be decoded', () => {
  const encoded = (spec: keyof typeof hostSpecs): Uint8Array => encodeMessage(hostSpecs[spec], sale())
  /** The message with bytes replaced from a position on. */
  const damaged = (message: Uint8Array, at: number, ...bytes: readonly number[]): Uint8Array => {
    const copy = Uint8Array.from(message)
    copy.set(bytes, at)
    return copy
  }

  test.each(['ascii1987', 'binary1987'] as const)(
    'is answered with 30 if type and trace are known: %s',
    async (spec) => {
      const host = await start({ spec })
      const client = await host.client()
      const message = encoded(spec)
      for (const bytes of [message.subarray(0, -1), Uint8Array.from([...message, 0])]) {
        client.write(encodeFrame('binary2', bytes))
        const answer = await client.next()
        expect([answer?.type, answer?.fields[11], answer?.fields[39]]).toEqual(['0210', '000001', '30'])
      }
      expect(await client.code(sale())).toBe('00')
    },
  )

  test('is answered with 30 if a field after the trace is wrong', async () => {
    const host = await start()
    const client = await host.client()
    const message = encoded('ascii1987')
    const at = Buffer.from(message).indexOf('5734')
    client.write(encodeFrame('binary2', damaged(message, at, 0x58)))
    const { fields = {} } = (await client.next()) ?? {}
    expect([fields[13], fields[25], fields[39], fields[41]]).toEqual(['1120', undefined, '30', undefined])
  })

  test.each([
    ['a wrong type', 0, 0x58],
    ['a wrong bitmap', 4, 0x58],
    ['a wrong card number', 22, 0x58],
  ])('closes the connection for %s', async (_name, at, byte) => {
    const host = await start()
    const client = await host.client()
    client.write(encodeFrame('binary2', damaged(encoded('ascii1987'), at, byte)))
    await client.closed
    expect(statesOf(host)).toEqual([])
  })

  test('closes the connection if it has no trace number', async () => {
    const host = await start()
    const client = await host.client()
    const message = encodeMessage(hostSpecs.ascii1987, testMessage({ type: '0200', fields: { 11: undefined } }))
    client.write(encodeFrame('binary2', message.subarray(0, -1)))
    await client.closed
  })

  test('closes the connection if the header is invalid', async () => {
    const host = await start()
    const client = await host.client()
    client.write(Uint8Array.of(0xff, 0xff))
    await client.closed
  })
})

describe('the fault', () => {
  test('latencyMs delays the processing', async () => {
    const host = await start()
    const client = await host.client()
    host.acquirer.faults.replace([fault('latencyMs', { value: 300, next: 1 })])
    client.send(sale())
    expect(await client.code(echo)).toBe('00')
    expect([host.timers.map(({ delayMs }) => delayMs), statesOf(host)]).toEqual([[300], []])
    host.timers[0]?.callback()
    expect((await client.next())?.fields[39]).toBe('00')
    expect(statesOf(host)).toEqual(['000001 captured'])
  })

  test('lateMs delays the answer only', async () => {
    const host = await start()
    const client = await host.client()
    host.acquirer.faults.replace([fault('lateMs', { value: 25_000, next: 1 })])
    client.send(sale())
    expect(await client.code(echo)).toBe('00')
    expect([host.timers.map(({ delayMs }) => delayMs), statesOf(host)]).toEqual([[25_000], ['000001 captured']])
    host.timers[0]?.callback()
    expect((await client.next())?.fields[39]).toBe('00')
  })

  test.each([
    ['dropRequest', []],
    ['dropResponse', ['000001 captured']],
  ] as const)('%s leaves the message without an answer', async (knob, states) => {
    const host = await start()
    const client = await host.client()
    host.acquirer.faults.replace([fault(knob, { next: 1 })])
    client.send(sale())
    expect(await client.code(echo)).toBe('00')
    expect(statesOf(host)).toEqual(states)
    expect(await client.code({ ...sale(), type: '0201' })).toBe('00')
    expect(statesOf(host)).toEqual(['000001 captured'])
  })

  test('close closes the connection after the processing', async () => {
    const host = await start()
    const client = await host.client()
    host.acquirer.faults.replace([fault('close')])
    client.send(sale())
    await client.closed
    expect(statesOf(host)).toEqual(['000001 captured'])
  })

  test('halfOpen keeps the connection, and reads nothing more from it', async () => {
    const host = await start()
    const [client, other] = [await host.client(), await host.client()]
    host.acquirer.faults.replace([fault('halfOpen', { next: 1 })])
    client.send(sale(1))
    client.send(sale(2))
    expect(await other.code(sale(3))).toBe('00')
    client.send(sale(4))
    expect(await other.code(echo)).toBe('00')
    expect(statesOf(host)).toEqual(['000003 captured'])
    expect([client.socket.readyState, client.socket.readableEnded]).toEqual(['open', false])
  })

  test('afterReversal holds the answer back until the message is reversed', async () => {
    const host = await start()
    const client = await host.client()
    host.acquirer.faults.replace([fault('afterReversal', { next: 1 })])
    client.send(sale())
    const reversal = testMessage({ type: '0420', stan: 2, fields: { 39: '68', 90: originalDataOf(sale()) } })
    const answers = [await client.request(reversal), await client.next()]
    expect(answers.map((answer) => `${answer?.type} ${answer?.fields[39]}`)).toEqual(['0430 00', '0210 00'])
    expect(statesOf(host)).toEqual(['000001 reversed'])
  })

  test('duplicateResponse sends the answer twice', async () => {
    const host = await start()
    const client = await host.client()
    host.acquirer.faults.replace([fault('duplicateResponse')])
    const first = await client.request(sale())
    expect(await client.next()).toEqual(first)
    expect(first?.fields[39]).toBe('00')
    expect(statesOf(host)).toEqual(['000001 captured'])
  })

  test('garble changes bytes of the answer, the same for the same seed', async () => {
    const received: (readonly number[])[] = []
    for (const seed of [5, 5, 6]) {
      const host = await start()
      const socket = connect(host.address.port, host.address.host)
      const frame = new Promise<Buffer>((resolve) => {
        let bytes = Buffer.alloc(0)
        socket.on('data', (chunk: Buffer) => {
          bytes = Buffer.concat([bytes, chunk])
          if (bytes.length > 2 && bytes.length === 2 + bytes.readUInt16BE()) resolve(bytes)
        })
      })
      host.acquirer.faults.replace([fault('garble', { value: 3, types: ['0800'], seed })])
      socket.write(encodeFrame('binary2', encodeMessage(hostSpecs.ascii1987, echo)))
      received.push([...(await frame)])
      socket.destroy()
    }
    const [first = [], second = [], third = []] = received
    expect(first).toEqual(second)
    expect(first).not.toEqual(third)
    expect(first.filter((byte) => byte > 0x7f)).toHaveLength(3)
  })

  test('splitBytes writes the answer in pieces, which are not mixed with other answers', async () => {
    const host = await start()
    const client = await host.client()
    host.acquirer.faults.replace([fault('splitBytes', { value: 7 })])
    client.send(sale())
    client.send(echo)
    expect((await client.next())?.fields[39]).toBe('00')
    expect((await client.next())?.type).toBe('0810')
    expect(client.chunks.length).toBeGreaterThan(1)
  })

  test.each([
    ['wrongTrace', 11, '000002'],
    ['wrongAmount', 4, '000000009201'],
  ] as const)('%s changes field %i of the answer', async (knob, field, value) => {
    const host = await start()
    const client = await host.client()
    host.acquirer.faults.replace([fault(knob)])
    expect((await client.request(sale()))?.fields[field]).toBe(value)
    expect(statesOf(host)).toEqual(['000001 captured'])
    host.acquirer.faults.replace([])
    expect((await client.request({ ...sale(), type: '0201' }))?.fields[field]).toBe(sale().fields[field])
  })
})

describe('the simulators', () => {
  const running: RunningSimulators[] = []
  afterEach(async () => {
    await Promise.all(running.splice(0).map((simulators) => simulators.close()))
  })
  const startAll = async (options: Partial<Parameters<typeof startSimulators>[0]>): Promise<RunningSimulators> => {
    const simulators = await startSimulators({ host: '127.0.0.1', port: 0, ...options })
    running.push(simulators)
    return simulators
  }

  test('have no acquirer by default', async () => {
    const { url, acquirerAddress } = await startAll({})
    expect([acquirerAddress, (await fetch(`${url}/acquirer/totals`)).status]).toEqual([undefined, 404])
  })

  test('start the acquirer on a port of its own, with its views on HTTP', async () => {
    const create = (): readonly Simulator[] => []
    const { url, acquirerAddress } = await startAll({ create, acquirerPort: 0 })
    const client = await TestClient.signedOn(acquirerAddress ?? { host: '', port: 0 })
    clients.push(client)
    expect(await client.code(sale())).toBe('00')
    expect(await (await fetch(`${url}/acquirer/transactions`)).json()).toMatchObject({ count: 1 })
    await running.pop()?.close()
    await client.closed
  })

  test('do not start on a port in use', async () => {
    const { acquirerAddress } = await startAll({ acquirerPort: 0 })
    await expect(startAll({ acquirerPort: acquirerAddress?.port })).rejects.toThrow('EADDRINUSE')
  })
})
