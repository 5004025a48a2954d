import { createSocket } from 'node:dgram'
import { afterEach, describe, expect, it } from 'vitest'
import { resolveName } from './resolve.ts'

type Answer = { readonly code: number; readonly addresses?: readonly (readonly number[])[] }

const NONE: Answer = { code: 0 }
const SERVER_FAILURE: Answer = { code: 2 }
const NO_SUCH_NAME: Answer = { code: 3 }
const TYPE_A = 1

const open: { close(): void }[] = []
afterEach(() => {
  for (const server of open.splice(0)) server.close()
})

/** A name server with one answer to every query for A, and another one for AAAA (RFC 1035, section 4). */
async function nameServer(a: Answer, aaaa: Answer): Promise<string> {
  const server = createSocket('udp4')
  open.push(server)
  server.on('message', (query, { port, address }) => {
    const question = query.subarray(12, query.indexOf(0, 12) + 5)
    const type = question.readUInt16BE(question.length - 4)
    const { code, addresses = [] } = type === TYPE_A ? a : aaaa
    const records = addresses.map((bytes) =>
      Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, bytes.length, ...bytes]),
    )
    const header = Buffer.concat([
      query.subarray(0, 2),
      Buffer.from([0x81, 0x80 | code, 0, 1, 0, records.length, 0, 0, 0, 0]),
    ])
    server.send(Buffer.concat([header, question, ...records]), port, address)
  })
  await new Promise<void>((listening) => void server.bind(0, '127.0.0.1', listening))
  return `127.0.0.1:${server.address().port}`
}

const v4: Answer = {
  code: 0,
  addresses: [
    [8, 8, 8, 8],
    [10, 0, 0, 1],
  ],
}
const v6: Answer = { code: 0, addresses: [[0x20, 1, ...Array<number>(13).fill(0), 9]] }

describe('look-up of a name', () => {
  it.each<[string, Answer, Answer, readonly string[]]>([
    ['both kinds', v4, v6, ['8.8.8.8', '10.0.0.1', '2001::9']],
    ['only A', v4, NONE, ['8.8.8.8', '10.0.0.1']],
    ['only AAAA', NONE, v6, ['2001::9']],
    ['A, and a server that fails for AAAA', v4, SERVER_FAILURE, ['8.8.8.8', '10.0.0.1']],
  ])('%s: the addresses are returned', async (_, a, aaaa, expected) => {
    expect(await resolveName('shop.example', [await nameServer(a, aaaa)])).toEqual(expected)
  })

  it.each<[string, Answer, Answer, string]>([
    ['a name that does not exist', NO_SUCH_NAME, NO_SUCH_NAME, 'ENOTFOUND'],
    ['a name without addresses', NONE, NONE, 'ENODATA'],
    ['a server that fails', SERVER_FAILURE, SERVER_FAILURE, 'ESERVFAIL'],
    ['a server that fails for AAAA, and no A', NONE, SERVER_FAILURE, 'ESERVFAIL'],
  ])('%s: the error is reported', async (_, a, aaaa, code) => {
    await expect(resolveName('shop.example', [await nameServer(a, aaaa)])).rejects.toMatchObject({ code })
  })
})
