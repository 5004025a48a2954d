import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import ssh2, { type AuthContext, type ServerChannel } from 'ssh2'
import { createPacketSplitter, encodePacket, encode } from '../protocol/packets.ts'
import { newKeys } from './raw-client.ts'

/** What a scripted server does. */
export interface Script {
  /** Decides on a request to authenticate; by default all are accepted. */
  readonly authenticate?: (request: AuthContext) => void
  /** Serves the subsystem; by default it never answers. */
  readonly serve?: (channel: ServerChannel) => void
}

/** A server of SSH whose answers a test writes. */
export interface ScriptedServer {
  readonly port: number
  readonly publicKey: string
  /** The methods of the requests to authenticate so far. */
  readonly methods: string[]
  readonly open: () => Promise<Socket>
  readonly close: () => Promise<void>
}

export async function startScriptedServer(script: Script): Promise<ScriptedServer> {
  const { privateKey, publicKey } = newKeys()
  const methods: string[] = []
  const sockets = new Set<Socket>()
  const ssh = new ssh2.Server({ hostKeys: [privateKey] }, (client) => {
    client.on('error', () => undefined)
    client.on('authentication', (request) => {
      methods.push(request.method)
      if (script.authenticate) script.authenticate(request)
      else request.accept()
    })
    client.on('session', (accept) => {
      accept().on('subsystem', (acceptChannel: () => ServerChannel) => {
        const channel = acceptChannel()
        channel.on('error', () => undefined)
        script.serve?.(channel)
      })
    })
  })
  const server = createServer({ noDelay: true }, (socket) => ssh.injectSocket(socket)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    port,
    publicKey,
    methods,
    async open() {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true })
      sockets.add(socket)
      await once(socket, 'connect')
      return socket
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      const closed = once(server, 'close')
      server.close()
      await closed
    },
  }
}

/** Answers the requests of a channel. @param answer creates the packets of an answer, from type and id of a request */
export function answerRequests(channel: ServerChannel, answer: (type: number, id: number) => Buffer): void {
  const { push } = createPacketSplitter()
  channel.on('data', (chunk: Buffer) => {
    for (const packet of push(chunk)) {
      const [type, id] = [packet.readUInt8(), packet.readUInt32BE(1)]
      channel.write(type === 1 ? encodePacket(2, encode.uint32(3)) : answer(type, id))
    }
  })
}
