import { createSocket } from 'node:dgram'
import { afterEach, describe, expect, it } from 'vitest'
import { resolveName } from './resolve.ts'

type Answer = { readonly code: number; readonly addresses?: readonly (readonly number[])[] }

const NO_RECORDS: Answer = { code: 0 }
const SERVER_FAILURE: Answer = { code: 2 }
const NO_SUCH_NAME: Answer = { code: 3 }
const TYPE_A = 1

const openServers: { close(): void }[] = []
afterEach(() => {
  for (const server of openServers.splice(0)) server.close()
})

/** Starts a name server with one answer to queries for A and another one for AAAA (RFC 1035, section 4). */
async function startNameServer(a: Answer, aaaa: Answer): Promise<string> {
  const server = createSocket('udp4')
  openServers.push(server)
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

describe('the look-up of a name', () => {
  it.each<[string, Answer, Answer, readonly string[]]>([
    ['A and AAAA records', v4, v6, ['8.8.8.8', '10.0.0.1', '2001::9']],
    ['only A records', v4, NO_RECORDS, ['8.8.8.8', '10.0.0.1']],
    ['only AAAA records', NO_RECORDS, v6, ['2001::9']],
    ['A records and a failure for AAAA', v4, SERVER_FAILURE, ['8.8.8.8', '10.0.0.1']],
  ])('returns the addresses of a name with %s', async (_, a, aaaa, expected) => {
    expect(await resolveName('shop.example', [await startNameServer(a, aaaa)])).toEqual(expected)
  })

  it.each<[string, Answer, Answer, string]>([
    ['a name that does not exist', NO_SUCH_NAME, NO_SUCH_NAME, 'ENOTFOUND'],
    ['a name without addresses', NO_RECORDS, NO_RECORDS, 'ENODATA'],
    ['a name for which the server fails', SERVER_FAILURE, SERVER_FAILURE, 'ESERVFAIL'],
    ['a name without A records and with a failure for AAAA', NO_RECORDS, SERVER_FAILURE, 'ESERVFAIL'],
  ])('rejects %s with the error code', async (_, a, aaaa, code) => {
    await expect(resolveName('shop.example', [await startNameServer(a, aaaa)])).rejects.toMatchObject({ code })
  })
})
