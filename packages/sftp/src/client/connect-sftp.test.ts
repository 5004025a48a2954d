import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { ServerChannel } from 'ssh2'
import { afterEach, describe, expect, test } from 'vitest'
import { limits } from '../limits.ts'
import { requestTypes, responseTypes } from '../protocol/constants.ts'
import { encode, encodePacket } from '../protocol/packets.ts'
import { createManualTimers } from '../testing/manual-timers.ts'
import { newKeys } from '../testing/raw-client.ts'
import { answerRequests, type Script, type ScriptedServer, startScriptedServer } from '../testing/scripted-server.ts'
import { connectSftp } from './connect-sftp.ts'
import type { SftpOptions } from './sftp-options.ts'

// Hostile and faulty servers. The tests of OpenSSH's server contain the usual operation.

const PASSWORD = 'correct horse battery staple'
const { bytes, uint32, uint64 } = encode
let server: ScriptedServer | undefined

async function start(script: Script): Promise<SftpOptions> {
  const started = await startScriptedServer(script)
  server = started
  return {
    host: 'files.example',
    port: started.port,
    username: 'shop',
    hostKeys: [started.publicKey],
    credentials: { kind: 'password', password: PASSWORD },
    open: started.open,
  }
}

afterEach(async () => {
  await server?.close()
  server = undefined
})

/** Serves a session with the given answers. */
const serving = (answer: (type: number, id: number) => Buffer): Script => ({
  serve: (channel) => answerRequests(channel, answer),
})

async function connected(script: Script, options: Partial<SftpOptions> = {}) {
  const { value, error } = await connectSftp({ ...(await start(script)), ...options })
  if (value === undefined) throw new Error(`there is no connection: ${error?.message}`)
  return value
}

const status = (id: number, code: number, text = 'text') =>
  encodePacket(responseTypes.STATUS, uint32(id), uint32(code), bytes(text), bytes(''))
const handle = (id: number) => encodePacket(responseTypes.HANDLE, uint32(id), bytes('h'))
const source = (content: Buffer) => ({
  sizeBytes: content.length,
  async *read(from: number) {
    yield await Promise.resolve(content.subarray(from))
  },
})

describe('the host key', () => {
  test('is checked before the password is sent', async () => {
    const options = await start({})
    const { error } = await connectSftp({ ...options, hostKeys: [newKeys().publicKey] })
    expect(error?.kind).toBe('hostKey')
    expect(error?.message).toMatch(/SHA256:[\w+/]{43}/)
    expect(server?.methods).toEqual([])
  })

  test.each([
    ['no key', []],
    ['an invalid key', ['ssh-ed25519 AAAA']],
    ['a private key', [newKeys().privateKey]],
    ['an MD5 fingerprint', ['MD5:16:27:ac:a5:76:28:2d:36:63:1b:56:4d:eb:df:a6:48']],
  ])('must be pinned: %s', async (_, hostKeys) => {
    let opened = 0
    const options = await start({})
    const open = () => {
      opened += 1
      return options.open(AbortSignal.timeout(1_000))
    }
    expect(await connectSftp({ ...options, hostKeys, open })).toMatchObject({ error: { kind: 'invalid' } })
    expect(opened).toBe(0)
  })
})

describe('a password', () => {
  test('opens a session', async () => {
    const passwords: string[] = []
    const client = await connected({
      authenticate(request) {
        if (request.method === 'password') passwords.push(request.password)
        request.accept()
      },
      serve: (channel) => answerRequests(channel, (_, id) => status(id, 2)),
    })
    expect(passwords).toEqual([PASSWORD])
    expect(await client.remove('a')).toMatchObject({ error: { kind: 'noSuchFile' } })
    await client.close()
  })

  test('that is refused is in no error, and is sent once', async () => {
    const options = await start({ authenticate: (request) => request.reject(['password']) })
    const { error } = await connectSftp(options)
    expect(error?.kind).toBe('authentication')
    expect(JSON.stringify(error)).not.toContain(PASSWORD)
    expect(server?.methods).toEqual(['password'])
  })

  test('that the server sends back is in no error', async () => {
    const client = await connected(serving((_, id) => status(id, 4, PASSWORD)))
    const { error } = await client.remove('a')
    expect(error).toEqual({ kind: 'refused', message: 'The server did not remove the file: FAILURE.' })
    await client.close()
  })
})

describe('a connection', () => {
  test('that cannot be opened is an error', async () => {
    const options = await start({})
    const open = () => Promise.reject(new Error('the address is not permitted'))
    const { error } = await connectSftp({ ...options, open })
    expect(error?.kind).toBe('connection')
    expect(error?.message).toMatch(/^There is no connection to files\.example:\d+: the address is not permitted$/)
  })

  test.each([
    ['sends nothing', undefined, 'timeout'],
    ['sends random bytes', Buffer.alloc(100_000, 0xa5), 'timeout'],
    ['sends a packet of 4 GiB', Buffer.concat([Buffer.from('SSH-2.0-x\r\n'), Buffer.alloc(64, 0xff)]), 'protocol'],
    ['sends many lines', Buffer.from('x\r\n'.repeat(2_000)), 'protocol'],
  ])('of a server that %s ends', async (_, sent, kind) => {
    const options = await start({})
    const listener = createServer((socket) => {
      socket.on('error', () => undefined).resume()
      if (sent) socket.write(sent)
    }).listen(0, '127.0.0.1')
    await once(listener, 'listening')
    const address = listener.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const open = () => Promise.resolve(connect(port, '127.0.0.1'))
    const { error } = await connectSftp({ ...options, open, limits: { handshakeMs: 500 } })
    expect([kind, 'protocol', 'closed']).toContain(error?.kind)
    listener.close()
  })

  test('that is closed before the session is an error', async () => {
    const listener = createServer((socket) => void socket.destroy()).listen(0, '127.0.0.1')
    await once(listener, 'listening')
    const address = listener.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const open = () => Promise.resolve(connect(port, '127.0.0.1'))
    const { error } = await connectSftp({ ...(await start({})), open })
    expect(error?.kind).toMatch(/^(?:closed|protocol)$/)
    listener.close()
  })

  test('whose opening takes too long ends, and a late stream is destroyed', async () => {
    const timers = createManualTimers()
    const options = await start({})
    let opened: ReturnType<typeof connect> | undefined
    let onOpen: (() => void) | undefined
    const open = () =>
      new Promise<ReturnType<typeof connect>>((resolve) => {
        onOpen = () => {
          opened = connect(options.port, '127.0.0.1')
          resolve(opened)
        }
      })
    const result = connectSftp({ ...options, open, timers })
    timers.advance(20_000)
    expect(await result).toMatchObject({ error: { kind: 'timeout' } })
    onOpen?.()
    await expect.poll(() => opened?.destroyed).toBe(true)
  })

  test('is cancelled by a signal that is aborted already', async () => {
    const options = await start({})
    expect(await connectSftp({ ...options, signal: AbortSignal.abort() })).toMatchObject({
      error: { kind: 'cancelled' },
    })
  })

  test('to a server that never answers ends after the time of an answer', async () => {
    const timers = createManualTimers()
    const silent = new Set<number>([requestTypes.REMOVE])
    const options = await start(serving((type, id) => (silent.has(type) ? Buffer.alloc(0) : status(id, 0))))
    const { value: client } = await connectSftp({ ...options, timers })
    const removed = client?.remove('a')
    await new Promise((resolve) => setTimeout(resolve, 50))
    timers.advance(30_000)
    expect(await removed).toMatchObject({ error: { kind: 'timeout' } })
    expect(await client?.remove('b')).toMatchObject({ error: { kind: 'timeout' } })
  })
})

/** Answers that violate the protocol, each to the request REMOVE. */
const violations: readonly (readonly [name: string, answer: (id: number, channel: ServerChannel) => Buffer])[] = [
  ['an answer to no request', (id) => status(id + 1, 0)],
  ['two answers', (id) => Buffer.concat([status(id, 0), status(id, 0)])],
  ['another type', handle],
  ['a truncated status', (id) => encodePacket(responseTypes.STATUS, uint32(id), Buffer.of(0))],
  ['an empty packet', () => uint32(0)],
  ['a packet of 4 GiB', () => uint32(0xffffffff)],
  ['a second version', () => encodePacket(responseTypes.VERSION, uint32(3))],
  ['an unknown type', (id) => encodePacket(99, uint32(id))],
  ['random bytes', () => Buffer.from(Array.from({ length: 5_000 }, (_, index) => (index * 7919) % 256))],
]

describe('a server that sends', () => {
  test.each(violations)('%s: the connection ends with an error', async (_, answer) => {
    const client = await connected({
      serve: (channel) => answerRequests(channel, (_type, id) => answer(id, channel)),
    })
    const results = [await client.remove('a'), await client.remove('b')]
    expect(results.at(-1)).toMatchObject({ error: { kind: 'protocol' } })
  })

  test.each([
    ['an old version', encodePacket(responseTypes.VERSION, uint32(2))],
    ['an answer before its version', status(0, 0)],
    ['a truncated version', encodePacket(responseTypes.VERSION, uint32(3), uint32(100))],
  ])('%s: there is no session', async (_, first) => {
    const options = await start({ serve: (channel) => void channel.write(first) })
    expect(await connectSftp(options)).toMatchObject({ error: { kind: 'protocol' } })
  })

  test('entries without an end: the list ends at its bound', async () => {
    const names = (id: number) =>
      encodePacket(responseTypes.NAME, uint32(id), uint32(1), bytes('a'), bytes('a'), encode.noAttributes())
    const answer = (type: number, id: number) => (type === requestTypes.READDIR ? names(id) : handle(id))
    const client = await connected(
      serving((type, id) => (type === requestTypes.CLOSE ? status(id, 0) : answer(type, id))),
      { limits: { entriesMax: 500 } },
    )
    expect(await client.list('.')).toMatchObject({ error: { kind: 'tooLarge' } })
    await client.close()
  })

  test.each([0, 0xffffffff])('a list of %d entries in a short packet: the connection ends', async (count) => {
    const names = (id: number) => encodePacket(responseTypes.NAME, uint32(id), uint32(count))
    const client = await connected(serving((type, id) => (type === requestTypes.READDIR ? names(id) : handle(id))))
    expect(await client.list('.')).toMatchObject({ error: { kind: 'protocol' } })
  })

  test('paths as names: they are left out', async () => {
    const entries = ['.', '..', '../x', '/etc/passwd', 'a\0', 'good.csv', '..\\x', ''].flatMap((name) => [
      bytes(name),
      bytes(name),
      encode.noAttributes(),
    ])
    let lists = 0
    const client = await connected(
      serving((type, id) => {
        if (type === requestTypes.OPENDIR) return handle(id)
        if (type !== requestTypes.READDIR) return status(id, 0)
        lists += 1
        return lists > 1 ? status(id, 1) : encodePacket(responseTypes.NAME, uint32(id), uint32(8), ...entries)
      }),
    )
    expect((await client.list('.')).value?.map(({ name }) => name)).toEqual(['good.csv'])
    await client.close()
  })

  const attributes = (id: number, sizeBytes: number) =>
    encodePacket(responseTypes.ATTRS, uint32(id), uint32(1), uint64(sizeBytes))

  test.each([
    ['more data than were requested', limits.blockBytes + 1],
    ['no data', 0],
  ])('%s: the connection ends', async (_, length) => {
    const client = await connected(
      serving((type, id) => {
        if (type === requestTypes.FSTAT) return attributes(id, 100_000)
        if (type === requestTypes.OPEN) return handle(id)
        return encodePacket(responseTypes.DATA, uint32(id), bytes(Buffer.alloc(length)))
      }),
    )
    expect(await client.fetch('a', () => undefined, 1_000_000)).toMatchObject({ error: { kind: 'protocol' } })
  })

  test('short blocks: the file is complete', async () => {
    const content = Buffer.from(Array.from({ length: 90_000 }, (_, index) => index % 251))
    const reads: Buffer[] = []
    const client = await connected({
      serve(channel) {
        channel.on('data', (chunk: Buffer) => reads.push(chunk))
        answerRequests(channel, (type, id) => {
          if (type === requestTypes.FSTAT) return attributes(id, content.length)
          if (type === requestTypes.OPEN) return handle(id)
          if (type !== requestTypes.READ) return status(id, 0)
          const all = Buffer.concat(reads)
          const at = all.lastIndexOf(Buffer.concat([Buffer.of(5), uint32(id)]))
          const position = Number(all.readBigUInt64BE(at + 5 + 5))
          return encodePacket(responseTypes.DATA, uint32(id), bytes(content.subarray(position, position + 10_000)))
        })
      },
    })
    const chunks: Buffer[] = []
    expect(await client.fetch('a', (chunk) => void chunks.push(chunk), 1_000_000)).toEqual({ value: content.length })
    expect(Buffer.concat(chunks).equals(content)).toBe(true)
    await client.close()
  })

  test('a file without its size and without an end: the bound ends it', async () => {
    const client = await connected(
      serving((type, id) => {
        if (type === requestTypes.FSTAT) return encodePacket(responseTypes.ATTRS, uint32(id), uint32(0))
        if (type === requestTypes.OPEN) return handle(id)
        if (type === requestTypes.CLOSE) return status(id, 0)
        return encodePacket(responseTypes.DATA, uint32(id), bytes(Buffer.alloc(limits.blockBytes)))
      }),
    )
    let received = 0
    const sink = (chunk: Buffer) => {
      received += chunk.length
    }
    expect(await client.fetch('a', sink, 1_000_000)).toMatchObject({ error: { kind: 'tooLarge' } })
    expect(received).toBeLessThanOrEqual(1_000_000)
    await client.close()
  })
})

describe('a server without space', () => {
  test.each([14, 15])('with the status %d: noSpace', async (code) => {
    const client = await connected(
      serving((type, id) => {
        if (type === requestTypes.OPEN) return handle(id)
        if (type === requestTypes.STAT) return status(id, 2)
        return status(id, type === requestTypes.WRITE ? code : 0)
      }),
    )
    expect(await client.deliver('a', source(Buffer.alloc(100_000)), 'd')).toMatchObject({ error: { kind: 'noSpace' } })
    await client.close()
  })

  test.each([
    [10, 'noSpace'],
    [10_000, 'refused'],
  ])('with the status FAILURE and %d free blocks: %s', async (blocks, kind) => {
    const free = (id: number) => {
      const counts = [4_096, 1_024, 1_000, blocks, blocks, 1, 1, 1, 1, 1, 255].map(uint64)
      return encodePacket(responseTypes.EXTENDED_REPLY, uint32(id), ...counts)
    }
    const version = encodePacket(responseTypes.VERSION, uint32(3), bytes('statvfs@openssh.com'), bytes('2'))
    const client = await connected({
      serve(channel) {
        const write = channel.write.bind(channel)
        let isFirst = true
        answerRequests(channel, (type, id) => {
          if (type === requestTypes.OPEN) return handle(id)
          if (type === requestTypes.STAT) return status(id, 2)
          if (type === requestTypes.EXTENDED) return free(id)
          return status(id, type === requestTypes.WRITE ? 4 : 0)
        })
        channel.write = (packet: Buffer) => {
          const sent = isFirst ? version : packet
          isFirst = false
          return write(sent)
        }
      },
    })
    expect(await client.deliver('a', source(Buffer.alloc(100_000)), 'd')).toMatchObject({ error: { kind } })
    await client.close()
  })
})

test('the error of a source is thrown, and the connection can be used further', async () => {
  const client = await connected(
    serving((type, id) => {
      if (type === requestTypes.OPEN) return handle(id)
      return status(id, type === requestTypes.STAT ? 2 : 0)
    }),
  )
  const broken = {
    sizeBytes: 10,
    async *read() {
      yield await Promise.reject<Buffer>(new Error('the disk of the caller'))
    },
  }
  await expect(client.deliver('a', broken, 'd')).rejects.toThrow('the disk of the caller')
  expect(await client.remove('a')).toEqual({ value: undefined })
  await client.close()
})
