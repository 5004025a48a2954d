import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect as connectTls } from 'node:tls'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RemoteConnector, testHostProfile } from '@tollgate/connectors'
import {
  cardPayment,
  createHostConnector,
  type LinkTls,
  selfSignedCertificate,
  testGateway,
  type TestGateway,
} from '@tollgate/gateway/testing'
import { freePort } from '@tollgate/storage/testing'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type HostProcess, hostTransactions, readFaults, setFaults, startHost } from '../support/acquirer-host.ts'
import { APPROVED } from '../support/external-load.ts'
import { forwardTo, type Forwarder } from '../support/tcp-forwarder.ts'

// Payments to an acquirer's host by mutual TLS, on links to two addresses.

const folder = mkdtempSync(join(tmpdir(), 'tollgate-tls-'))
const [hostPair, clientPair] = [selfSignedCertificate(['host.example']), selfSignedCertificate(['gateway.example'])]
let gateway: TestGateway
let connector: RemoteConnector | undefined
let host: HostProcess
let hostPort = 0
let secondAddress: Forwarder

function fileOf(name: string, content: string): string {
  const file = join(folder, name)
  writeFileSync(file, content, { mode: 0o600 })
  return file
}

const linkTls = (): LinkTls => ({
  ca: hostPair.cert,
  cert: clientPair.cert,
  key: clientPair.key,
  serverName: 'host.example',
})

beforeAll(async () => {
  hostPort = Number(await freePort())
  const [cert, key] = [fileOf('host.crt', hostPair.cert), fileOf('host.key', hostPair.key)]
  const clientCa = fileOf('client-ca.crt', clientPair.cert)
  host = await startHost(String(hostPort), folder, [
    `--acquirer-cert=${cert}`,
    `--acquirer-key=${key}`,
    `--acquirer-client-ca=${clientCa}`,
  ])
  secondAddress = await forwardTo(hostPort)
  const tls = linkTls()
  const addresses = [hostPort, secondAddress.port].map((each) => ({ host: '127.0.0.1', port: each, tls }))
  const terminalIds = ['TG000001', 'TG000002']
  gateway = await testGateway({
    external: (parts) =>
      (connector = createHostConnector({ name: 'external', profile: testHostProfile, addresses, terminalIds }, parts)),
  })
  connector?.open?.()
  await vi.waitFor(() => expect(eventsOf('ready')).toHaveLength(2))
})

afterAll(async () => {
  await connector?.close?.()
  await gateway.close()
  secondAddress.close()
  await host.kill9()
  rmSync(folder, { recursive: true })
})

type Form = Readonly<Record<string, string>>

const eventsOf = (event: string) => gateway.logged.filter((line) => line['event'] === event)
const send = async (path: string, form: Form) => (await gateway.send('POST', path, form)).body
const pay = (changes: Form) => send('/v1/payments', { ...cardPayment(), testMode: 'EXTERNAL', ...changes })

test('a preauthorisation, its capture and its refund reach the host by mutual TLS', async () => {
  const hold = await pay({ paymentType: 'PA' })
  const capture = await send(`/v1/payments/${hold.id}`, { paymentType: 'CP', amount: '92.00', currency: 'EUR' })
  const refund = await send(`/v1/payments/${capture.id}`, { paymentType: 'RF', amount: '92.00', currency: 'EUR' })
  expect([hold, capture, refund].map(({ result }) => result.code)).toEqual(Array(3).fill(APPROVED))
  expect(await hostTransactions(host)).toMatchObject([
    { kind: 'authorisation', capturedMinor: 9200, refundedMinor: 9200 },
    { kind: 'capture' },
    { kind: 'refund' },
  ])
})

test('if one address is dead, its payment is reversed by the other, which takes the next payments', async () => {
  await setFaults(host, [{ knob: 'latencyMs', value: 1_500, types: ['0200'], next: 2 }])
  // Both links are idle, so that one payment is sent on each.
  const payments = ['10.00', '11.00'].map((amount) => pay({ paymentType: 'DB', amount }))
  await vi.waitFor(async () => expect(await readFaults(host)).toMatchObject([{ applied: 2 }]))
  secondAddress.close()
  const codes = (await Promise.all(payments)).map(({ result }) => result.code)
  expect(new Set(codes)).toEqual(new Set([APPROVED, '900.100.301']))
  for (const amount of ['12.00', '13.00']) expect((await pay({ paymentType: 'DB', amount })).result.code).toBe(APPROVED)
  const sales = (await hostTransactions(host)).filter(({ kind }) => kind === 'sale')
  expect(sales.filter(({ state }) => state === 'captured')).toHaveLength(3)
  expect(eventsOf('lost')[0]).toMatchObject({ link: `127.0.0.1:${secondAddress.port}` })
})

test('a client without a certificate of the right authority is disconnected', async () => {
  for (const pair of [{}, hostPair]) {
    const socket = connectTls({
      host: '127.0.0.1',
      port: hostPort,
      ca: hostPair.cert,
      servername: 'host.example',
      ...pair,
    })
    const received: Buffer[] = []
    socket.on('error', () => undefined).on('data', (chunk) => void received.push(chunk))
    await new Promise((resolve) => socket.once('close', resolve))
    expect(received).toEqual([])
  }
})
