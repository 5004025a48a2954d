import { type AddressInfo, createServer, type Server } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { limits } from '../limits.ts'
import { createCardIndex } from './card.ts'
import { type AcquirerCounters, type ConnectionEnvironment, serveConnection } from './connection.ts'
import { type AcquirerFault, createFaultSwitch } from './faults.ts'
import { createHeldAnswers } from './held-answers.ts'
import { createHost } from './host.ts'
import { hostSpecs } from './host-message.ts'
import { createHostState } from './host-state.ts'
import { type HostJournal, noJournal } from './journal.ts'
import { networkMessage, testMessage } from './testing/messages.ts'
import { TestClient } from './testing/test-client.ts'

const servers: Server[] = []

afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

/** A server of connections with a journal, whose timer never fires. */
async function serve(journal: HostJournal, faults: readonly AcquirerFault[] = []) {
  const counters: AcquirerCounters = { connections: 0, messages: 0, answers: 0, undecodable: 0, ignored: 0 }
  const fail = vi.fn<(error: unknown) => void>()
  const faultSwitch = createFaultSwitch()
  faultSwitch.replace(faults)
  const environment: ConnectionEnvironment = {
    host: createHost({ now: () => 0 }, createCardIndex(new Uint8Array(32)), createHostState(), journal),
    header: 'binary2',
    spec: hostSpecs.ascii1987,
    faults: faultSwitch,
    heldAnswers: createHeldAnswers(),
    counters,
    after: () => undefined,
    fail,
  }
  const server = createServer((socket) => serveConnection(socket, environment))
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port }: AddressInfo = Object(server.address())
  const client = await TestClient.signedOn({ host: '127.0.0.1', port })
  return { client, counters, fail }
}

const echo = networkMessage('301', 999)

test('an answer leaves when its changes are on disk', async () => {
  const stored: (() => void)[] = []
  const append = (): Promise<void> => new Promise((resolve) => stored.push(resolve))
  const { client } = await serve({ ...noJournal, append })
  client.send(testMessage({ type: '0200' }))
  expect((await client.request(echo))?.type).toBe('0810')
  expect(stored).toHaveLength(1)
  stored[0]?.()
  expect((await client.next())?.type).toBe('0210')
  client.socket.destroy()
})

test('no answer leaves if the journal fails', async () => {
  const failure = new Error('no space')
  const { client, fail } = await serve({ ...noJournal, append: () => Promise.reject(failure) })
  client.send(testMessage({ type: '0200' }))
  expect((await client.request(echo))?.type).toBe('0810')
  expect(fail).toHaveBeenCalledExactlyOnceWith(failure)
  client.socket.destroy()
})

test.each(['latencyMs', 'lateMs'] as const)(
  'a connection with too many messages in flight is closed: %s',
  async (knob) => {
    const { client, counters } = await serve(noJournal, [{ knob, value: 1, types: ['0200'], seed: 1 }])
    for (let stan = 1; stan < limits.acquirerInFlightMax; stan++) client.send(testMessage({ type: '0200', stan }))
    expect((await client.request(echo))?.type).toBe('0810')
    for (const stan of [900_001, 900_002]) client.send(testMessage({ type: '0200', stan }))
    await client.closed
    expect(counters.answers).toBe(2)
  },
)

test('the numbers of connections, messages, answers and faulty messages are counted', async () => {
  const { client, counters } = await serve(noJournal)
  client.send({ ...testMessage({ type: '0200' }), type: '0210' })
  await client.request(echo)
  client.write(Uint8Array.of(0, 1, 0))
  await client.closed
  expect(counters).toEqual({ connections: 1, messages: 4, answers: 2, undecodable: 1, ignored: 1 })
})
