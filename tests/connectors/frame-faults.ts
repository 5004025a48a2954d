import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { ascii1987, createFrameReader, decodeMessage, encodeFrame, encodeMessage } from '@tollgate/iso8583'

/** Faults of frames, which the test host has not. */
export type FrameFault = 'refused' | 'half' | 'oversized' | 'wrongCurrency'

/** A server between a link and its host. It forwards frames, and has faults of single frames. */
export interface FrameFaults {
  readonly address: { readonly host: string; readonly port: number }
  readonly set: (fault: FrameFault | undefined) => Promise<void>
  readonly close: () => Promise<void>
}

const HEADER = 'binary2'
/** More bytes than a frame may have. */
const OVERSIZED = Buffer.concat([Buffer.from([0xff, 0xff]), Buffer.alloc(0xffff, '0')])
const OTHER_CURRENCY = '840'

/** Starts the server. Network messages have no fault. */
export async function startFrameFaults(host: { host: string; port: number }): Promise<FrameFaults> {
  let fault: FrameFault | undefined
  const sockets = new Set<Socket>()

  /** Forwards an answer of the host. */
  function answer(client: Socket, message: Uint8Array): void {
    const frame = encodeFrame(HEADER, message)
    const isNetworkMessage = message[1] === '8'.charCodeAt(0)
    switch (isNetworkMessage ? undefined : fault) {
      case 'half':
        return void client.end(frame.subarray(0, frame.length / 2))
      case 'oversized':
        return void client.write(OVERSIZED)
      case 'wrongCurrency':
        return void client.write(encodeFrame(HEADER, withOtherCurrency(message)))
      case 'refused':
      case undefined:
        return void client.write(frame)
    }
  }

  const server = createServer((client) => {
    const upstream = connect(host)
    const reader = createFrameReader(HEADER)
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
    }
    client.on('data', (bytes) => upstream.write(bytes))
    upstream.on('data', (bytes) => {
      for (const { bytes: message } of reader.push(Buffer.from(bytes))) answer(client, message)
    })
  })
  const listen = async (port: number): Promise<void> => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }
  const stop = async (): Promise<void> => {
    if (!server.listening) return
    server.close()
    for (const socket of sockets) socket.destroy()
    await once(server, 'close')
  }
  await listen(0)
  const { port }: AddressInfo = Object(server.address())
  return {
    address: { host: '127.0.0.1', port },
    async set(next) {
      fault = next
      if (next === 'refused') await stop()
      else if (!server.listening) await listen(port)
    },
    close: stop,
  }
}

function withOtherCurrency(message: Uint8Array): Uint8Array {
  const { type, fields } = decodeMessage(ascii1987, message)
  return encodeMessage(ascii1987, { type, fields: { ...fields, 49: OTHER_CURRENCY } })
}
