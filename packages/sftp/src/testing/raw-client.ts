import { once } from 'node:events'
import ssh2, { type ClientChannel } from 'ssh2'
import { createPacketSplitter, encode, encodePacket } from '../protocol/packets.ts'

/** A pair of new Ed25519 keys, as texts. One in some hundred keys of ssh2's generator is malformed. */
export function newKeys(): { readonly privateKey: string; readonly publicKey: string } {
  for (let attempt = 0; attempt < 10; attempt++) {
    const { private: privateKey, public: publicKey } = ssh2.utils.generateKeyPairSync('ed25519')
    if (!(ssh2.utils.parseKey(privateKey) instanceof Error)) return { privateKey, publicKey }
  }
  throw new Error('ssh2 generates no valid key')
}

/** Connects ssh2's client to a port of this machine. Rejects if the server ends the connection or refuses the key. */
export function connectRaw(port: number, username: string, privateKey: string): Promise<ssh2.Client> {
  const client = new ssh2.Client()
  return new Promise((resolve, reject) => {
    client.on('error', reject)
    client.on('close', () => reject(new Error('the connection was closed')))
    client.on('connect', () => client.setNoDelay())
    client.on('ready', () => resolve(client))
    client.connect({ host: '127.0.0.1', port, username, privateKey, readyTimeout: 0 })
  })
}

/** Opens the subsystem `sftp` as a channel of bytes, without the exchange of versions. */
export function openChannel(client: ssh2.Client): Promise<ClientChannel> {
  return new Promise((resolve, reject) => {
    client.subsys('sftp', (error, channel) => (error ? reject(error) : resolve(channel)))
  })
}

/** Sends raw packets and reads the answers. */
export interface RawSession {
  readonly channel: ClientChannel
  /** Sends a request with an id, and waits for the next answer. */
  readonly request: (type: number, ...parts: readonly Buffer[]) => Promise<Buffer>
}

/** Opens a session, and exchanges the versions. */
export async function openRawSession(client: ssh2.Client): Promise<RawSession> {
  const channel = await openChannel(client)
  const { push } = createPacketSplitter()
  const answers: Buffer[] = []
  channel.on('data', (chunk: Buffer) => {
    answers.push(...push(chunk))
    channel.emit('answer')
  })
  let lastId = 0
  const next = async (): Promise<Buffer> => {
    while (answers.length === 0) await once(channel, 'answer')
    return answers.shift() ?? Buffer.alloc(0)
  }
  channel.write(encodePacket(1, encode.uint32(3)))
  await next()
  return {
    channel,
    request(type, ...parts) {
      channel.write(encodePacket(type, encode.uint32(++lastId), ...parts))
      return next()
    },
  }
}
