import { connect, createServer, type Socket } from 'node:net'
import { once } from 'node:events'
import type { Duplex } from 'node:stream'
import { afterEach, expect, vi } from 'vitest'
import { decodeMessage, encodeMessage } from '../codec.ts'
import type { Message } from '../field.ts'
import { createFrameReader, encodeFrame } from '../frames.ts'
import { responseTypeOf } from '../link/message-type.ts'
import { type LinkEvent, type NetworkCode, startLink } from '../link/link.ts'
import { ascii1987 } from '../specs/specs.ts'

// A link, the host at its other end whose answers a test gives, and a time that the test passes. All are closed after
// each test.

/** The links to close. */
export const opened: { close(): Promise<void> }[] = []
const enders: (() => void)[] = []
const closers: (() => void)[] = []
afterEach(async () => {
  for (const end of enders.splice(0)) end()
  for (const link of opened.splice(0)) await link.close()
  for (const close of closers.splice(0)) close()
})

type Fields = typeof ascii1987.fields
type IsoMessage = Message<Fields>

/** The far end of a connection. */
export interface HostEnd {
  readonly received: IsoMessage[]
  readonly answer: (request: IsoMessage, fields?: IsoMessage['fields']) => void
  readonly send: (message: IsoMessage) => void
  readonly sendBytes: (bytes: Uint8Array) => void
  readonly end: () => void
}

/** The host does not answer. */
export const SILENT = ''

/**
 * A host whose answers the test gives, and a time that the test passes.
 *
 * @param signOn the response code to a sign-on
 * @param connection replaces the connections to the host
 */
export async function setUp({
  signOn = '00',
  connection,
}: {
  readonly signOn?: string
  readonly connection?: Duplex
} = {}) {
  const hosts: HostEnd[] = []
  const events: LinkEvent[] = []
  const waits: { readonly ms: number; readonly resolve: () => void }[] = []
  const fromHost: IsoMessage[] = []
  let trace = 0

  function hostEnd(socket: Socket): HostEnd {
    const reader = createFrameReader('binary2')
    const received: IsoMessage[] = []
    const send = (message: IsoMessage): void =>
      void socket.write(encodeFrame('binary2', encodeMessage(ascii1987, message)))
    const answer: HostEnd['answer'] = ({ type, fields }, further) =>
      send({ type: responseTypeOf(type), fields: { ...fields, 39: '00', ...further } })
    socket.on('data', (chunk: Uint8Array) => {
      for (const { bytes } of reader.push(chunk)) {
        const message = decodeMessage(ascii1987, bytes)
        received.push(message)
        if (message.type !== '0800') continue
        if (message.fields[70] === '001' && signOn !== SILENT) answer(message, { 39: signOn })
        if (message.fields[70] === '002') answer(message)
      }
    })
    socket.on('error', () => {})
    const sendBytes = (bytes: Uint8Array): void => void socket.write(bytes)
    return { received, answer, send, sendBytes, end: () => void socket.destroy() }
  }

  const server = createServer((socket) => void hosts.push(hostEnd(socket)))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  let isOver = false
  enders.push(() => {
    isOver = true
    for (const { resolve } of waits.splice(0)) resolve()
  })
  closers.push(() => void server.close())

  let refusals = 0
  const link = startLink<Fields>({
    spec: ascii1987,
    header: 'binary2',
    dial: async () => {
      if (connection) return connection
      if (refusals > 0) {
        refusals -= 1
        throw Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED' })
      }
      const socket = connect(port, '127.0.0.1')
      await once(socket, 'connect')
      return socket
    },
    startTimer(ms, onEnd) {
      const entry = { ms, resolve: onEnd }
      if (isOver) queueMicrotask(onEnd)
      else waits.push(entry)
      return () => void (waits.includes(entry) && waits.splice(waits.indexOf(entry), 1))
    },
    matchFields: [41, 11, 7],
    networkRequest: (code: NetworkCode) => {
      trace += 1
      return { type: '0800', fields: { 7: '1128020000', 11: String(trace).padStart(6, '0'), 70: code } }
    },
    networkAnswer: ({ type, fields }) => ({ type: responseTypeOf(type), fields: { ...fields, 39: '00' } }),
    networkCodeOf(message) {
      fromHost.push(message)
      return message.fields[70]
    },
    isAccepted: ({ fields }) => fields[39] === '00',
    onEvent: (event) => void events.push(event),
  })
  /** Lets the time pass for which the link waits. */
  async function pass(ms: number): Promise<void> {
    await vi.waitFor(() => expect(waits.map((entry) => entry.ms)).toContain(ms))
    const index = waits.findIndex((entry) => entry.ms === ms)
    waits.splice(index, 1)[0]?.resolve()
  }
  return { link, hosts, events, waits, pass, fromHost, refuse: (times: number) => void (refusals = times) }
}

export async function readyLink() {
  const parts = await setUp()
  await vi.waitFor(() => expect(parts.link.isReady()).toBe(true))
  const host = parts.hosts[0]
  if (!host) throw new Error('the link has no connection')
  return { ...parts, host }
}

export const request = (trace: string, type = '0100'): IsoMessage => ({
  type,
  fields: { 3: '000000', 4: '000000009200', 7: '1120093000', 11: trace, 41: 'TERM0001' },
})

/** The event of an answer without its request. It has the fields by which answers are matched, and no other. */
export const unmatched = (type: string, changes: Readonly<Record<number, string>> = {}): LinkEvent => ({
  kind: 'unmatched',
  type,
  matched: { 7: '1120093000', 11: '000001', 41: 'TERM0001', ...changes },
})

export const arrived = (host: HostEnd, trace: string): Promise<IsoMessage> =>
  vi.waitFor(() => {
    const message = host.received.find(({ type, fields }) => type !== '0800' && fields[11] === trace)
    if (!message) throw new Error('the message has not arrived')
    return message
  })
