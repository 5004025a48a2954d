import { connect, type Socket } from 'node:net'
import { createFrameReader, encodeFrame, encodeMessage, type HeaderName } from '@tollgate/iso8583'
import type { ListenerAddress } from '../acquirer.ts'
import { decodeHostMessage, type HostMessage, type HostSpecName, hostSpecs } from '../host-message.ts'
import { networkMessage } from './messages.ts'

/** A message of the host; or undefined, if it cannot be decoded. */
type Received = HostMessage | undefined

/** A client of the host on a socket. */
export class TestClient {
  readonly socket: Socket
  /** Sizes of the parts in which bytes arrived. */
  readonly chunks: number[] = []
  readonly closed: Promise<void>
  readonly #received: Received[] = []
  readonly #waiting: ((received: Received) => void)[] = []
  readonly #spec: (typeof hostSpecs)[HostSpecName]
  readonly #header: HeaderName

  constructor({ host, port }: ListenerAddress, header: HeaderName = 'binary2', spec: HostSpecName = 'ascii1987') {
    this.#spec = hostSpecs[spec]
    this.#header = header
    this.socket = connect(port, host)
    const reader = createFrameReader(header)
    this.closed = new Promise((resolve) => this.socket.on('close', () => resolve()))
    this.socket.on('error', () => undefined)
    this.socket.on('data', (chunk) => {
      this.chunks.push(chunk.length)
      for (const { bytes } of reader.push(Buffer.from(chunk))) this.#receive(bytes)
    })
  }

  /** Connects, and signs on. */
  static async signedOn(
    address: ListenerAddress,
    header: HeaderName = 'binary2',
    spec: HostSpecName = 'ascii1987',
  ): Promise<TestClient> {
    const client = new TestClient(address, header, spec)
    await client.request(networkMessage('001'))
    client.chunks.length = 0
    return client
  }

  #receive(bytes: Uint8Array): void {
    const decoded = decodeHostMessage(this.#spec, bytes)
    const received = 'message' in decoded ? decoded.message : undefined
    const waiting = this.#waiting.shift()
    if (waiting === undefined) this.#received.push(received)
    else waiting(received)
  }

  write(bytes: Uint8Array): void {
    this.socket.write(bytes)
  }

  send(message: HostMessage): void {
    this.write(encodeFrame(this.#header, encodeMessage(this.#spec, message)))
  }

  /** The next message of the host. */
  next(): Promise<Received> {
    return this.#received.length > 0
      ? Promise.resolve(this.#received.shift())
      : new Promise((resolve) => this.#waiting.push(resolve))
  }

  /** Sends a message, and returns the next message of the host. */
  request(message: HostMessage): Promise<Received> {
    this.send(message)
    return this.next()
  }

  /** The response code of a message. */
  async code(message: HostMessage): Promise<string | undefined> {
    return (await this.request(message))?.fields[39]
  }
}
