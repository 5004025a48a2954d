import { createHook } from 'node:async_hooks'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type CountingServer, startHttpServer } from '../testing/outgoing-servers.ts'
import { createOutgoingClient, type OutgoingOptions } from './create-outgoing-client.ts'
import type { OutgoingClient } from '@tollgate/operations'

/** The connections and name look-ups that the process has begun. */
const begun: string[] = []
const hook = createHook({
  init: (_, type) => {
    if (/^(?:TCPCONNECTWRAP|GETADDRINFOREQWRAP|QUERYWRAP)$/.test(type)) begun.push(type)
  },
})
beforeAll(() => void hook.enable())
afterAll(() => void hook.disable())

const opened: OutgoingClient[] = []
let server: CountingServer

beforeEach(async () => {
  server = await startHttpServer((_, answer) => answer.end())
})
afterEach(async () => {
  for (const outgoing of opened.splice(0)) await outgoing.close()
})

/** Sends a request to a URL in which PORT stands for the server's port. */
async function send(url: string, options: OutgoingOptions) {
  const outgoing = createOutgoingClient(options)
  opened.push(outgoing)
  begun.length = 0
  const reply = await outgoing.send({ method: 'POST', url: url.replace('PORT', `${server.port}`), body: '{}' })
  return { reply, refusalReason: outgoing.refusalReason(url.replace('PORT', `${server.port}`)) }
}

/** Options that permit the server's port, so that only the address can be refused. */
const withPort = (environment: 'test' | 'live'): OutgoingOptions => ({
  environment,
  ports: { 'https:': [server.port], 'http:': [server.port] },
})

function expectNothingSent(): void {
  expect(begun).toEqual([])
  expect(server.connections).toBe(0)
}

const LOOPBACK = 'the host is a loopback address (RFC 1122)'

/** Spellings of a loopback address, and names that resolve to one by definition. */
const loopback: readonly (readonly [host: string, reason: string])[] = [
  ['127.0.0.1', LOOPBACK],
  ['127.0.0.1.', LOOPBACK],
  ['127.1', LOOPBACK],
  ['127.0.1', LOOPBACK],
  ['127.255.255.254', LOOPBACK],
  ['2130706433', LOOPBACK],
  ['017700000001', LOOPBACK],
  ['0177.0.0.1', LOOPBACK],
  ['0177.0000.0000.0001', LOOPBACK],
  ['0x7f000001', LOOPBACK],
  ['0x7f.0.0.1', LOOPBACK],
  ['0X7F.0x0.0.0x1', LOOPBACK],
  ['0x7f.1', LOOPBACK],
  ['127.0x1', LOOPBACK],
  ['127%2E0%2e0.1', LOOPBACK],
  ['%31%32%37.0.0.1', LOOPBACK],
  ['１２７.０.０.１', LOOPBACK],
  ['①②⑦.⓪.⓪.①', LOOPBACK],
  ['127。0。0。1', LOOPBACK],
  ['[::1]', 'the host is a loopback address (RFC 4291)'],
  ['[0:0:0:0:0:0:0:1]', 'the host is a loopback address (RFC 4291)'],
  ['[0000::0001]', 'the host is a loopback address (RFC 4291)'],
  ['localhost', 'the host is a loopback address (RFC 6761)'],
  ['LOCALHOST', 'the host is a loopback address (RFC 6761)'],
  ['shop.localhost', 'the host is a loopback address (RFC 6761)'],
  ['ｌｏｃａｌｈｏｓｔ', 'the host is a loopback address (RFC 6761)'],
]

/** Other spellings of this machine, and addresses that no server of a merchant has. */
const notPublic: readonly (readonly [host: string, reason: string])[] = [
  ['0.0.0.0', 'the host is an address of this network (RFC 791)'],
  ['0', 'the host is an address of this network (RFC 791)'],
  ['0x0', 'the host is an address of this network (RFC 791)'],
  ['0.1.2.3', 'the host is an address of this network (RFC 791)'],
  ['[::]', 'the host is the unspecified address (RFC 4291)'],
  ['[::ffff:127.0.0.1]', 'the host is an IPv4-mapped address (RFC 4291)'],
  ['[::ffff:7f00:1]', 'the host is an IPv4-mapped address (RFC 4291)'],
  ['[0:0:0:0:0:ffff:7f00:0001]', 'the host is an IPv4-mapped address (RFC 4291)'],
  ['[::ffff:8.8.8.8]', 'the host is an IPv4-mapped address (RFC 4291)'],
  ['[::ffff:0:127.0.0.1]', 'the host is an IPv4-translated address (RFC 2765)'],
  ['[::127.0.0.1]', 'the host is an IPv4-compatible address (RFC 4291)'],
  ['[64:ff9b::127.0.0.1]', 'the host is a NAT64 address (RFC 6052)'],
  ['[64:ff9b::a9fe:a9fe]', 'the host is a NAT64 address (RFC 6052)'],
  ['[64:ff9b:1::7f00:1]', 'the host is a NAT64 address (RFC 8215)'],
  ['[2002:7f00:1::]', 'the host is a 6to4 address (RFC 3056)'],
  ['[2001:0:7f00:1::]', 'the host is a Teredo address (RFC 4380)'],
  ['10.0.0.1', 'the host is a private address (RFC 1918)'],
  ['167772161', 'the host is a private address (RFC 1918)'],
  ['012.0.0.1', 'the host is a private address (RFC 1918)'],
  ['172.16.0.1', 'the host is a private address (RFC 1918)'],
  ['172.31.255.255', 'the host is a private address (RFC 1918)'],
  ['192.168.1.1', 'the host is a private address (RFC 1918)'],
  ['0xc0.0xa8.257', 'the host is a private address (RFC 1918)'],
  ['169.254.169.254', 'the host is a link-local address (RFC 3927)'],
  ['2852039166', 'the host is a link-local address (RFC 3927)'],
  ['0xa9fea9fe', 'the host is a link-local address (RFC 3927)'],
  ['0251.0376.0251.0376', 'the host is a link-local address (RFC 3927)'],
  ['100.64.0.1', 'the host is a carrier-grade NAT address (RFC 6598)'],
  ['100.100.100.200', 'the host is a carrier-grade NAT address (RFC 6598)'],
  ['192.0.0.1', 'the host is an address for protocols (RFC 6890)'],
  ['192.0.2.1', 'the host is an address for documentation (RFC 5737)'],
  ['198.51.100.1', 'the host is an address for documentation (RFC 5737)'],
  ['203.0.113.1', 'the host is an address for documentation (RFC 5737)'],
  ['192.88.99.1', 'the host is a 6to4 relay (RFC 7526)'],
  ['198.18.0.1', 'the host is an address for benchmarks (RFC 2544)'],
  ['224.0.0.1', 'the host is a multicast address (RFC 5771)'],
  ['240.0.0.1', 'the host is a reserved address (RFC 1112)'],
  ['255.255.255.255', 'the host is the broadcast address (RFC 919)'],
  ['4294967295', 'the host is the broadcast address (RFC 919)'],
  ['[fc00::1]', 'the host is a private address (RFC 4193)'],
  ['[fd00:ec2::254]', 'the host is a private address (RFC 4193)'],
  ['[fe80::1]', 'the host is a link-local address (RFC 4291)'],
  ['[fec0::1]', 'the host is a site-local address (RFC 3879)'],
  ['[ff02::1]', 'the host is a multicast address (RFC 4291)'],
  ['[2001:db8::1]', 'the host is an address for documentation (RFC 3849)'],
  ['[3fff::1]', 'the host is an address for documentation (RFC 9637)'],
  ['[100::1]', 'the host is a discard-only address (RFC 6666)'],
  ['[4000::1]', 'the host is a reserved address (RFC 4291)'],
]

const MALFORMED = 'the URL is malformed'
const EMPTY_LABEL = 'the host has an empty label or ends in a dot'

/** URLs that both environments refuse: malformed, with an empty label, another scheme or credentials, or too long. */
const alwaysRefused: readonly (readonly [url: string, reason: string])[] = [
  ['', MALFORMED],
  ['shop.example', MALFORMED],
  ['//shop.example/', MALFORMED],
  ['https://', MALFORMED],
  ['https://shop example/', MALFORMED],
  ['https://256.0.0.1/', MALFORMED],
  ['https://1.2.3.4.5/', MALFORMED],
  ['https://0x100000000/', MALFORMED],
  ['https://[fe80::1%25eth0]/', MALFORMED],
  ['https://[::1%lo]/', MALFORMED],
  ['https://[::1/', MALFORMED],
  ['https://shop.example:65536/', MALFORMED],
  ['https://xn--a/', MALFORMED],
  ['ht\ttps://127.0.\n0.1:PORT/', MALFORMED],
  [' https://shop.example/', MALFORMED],
  ['https://shop.example/ ', MALFORMED],
  ['https://shop.example/a b', MALFORMED],
  ['https://shop.exam\u0000ple/', MALFORMED],
  ['https://sho%00p.example/', MALFORMED],
  ['https://shop.example./', EMPTY_LABEL],
  ['https://localhost./', EMPTY_LABEL],
  ['https://shop..example/', EMPTY_LABEL],
  ['https://.shop.example/', EMPTY_LABEL],
  ['ftp://shop.example/', 'the scheme of the URL is not https'],
  ['file:///etc/passwd', 'the scheme of the URL is not https'],
  ['data:text/plain,1', 'the scheme of the URL is not https'],
  ['gopher://127.0.0.1:PORT/', 'the scheme of the URL is not https'],
  ['unix:/run/docker.sock', 'the scheme of the URL is not https'],
  ['https://user@shop.example/', 'the URL contains credentials'],
  ['https://user:password@shop.example/', 'the URL contains credentials'],
  ['https://:password@127.0.0.1:PORT/', 'the URL contains credentials'],
  ['https://shop.example@127.0.0.1:PORT/', 'the URL contains credentials'],
  ['https://shop.example:443@127.0.0.1:PORT/', 'the URL contains credentials'],
  [`https://shop.example/${'a'.repeat(2048)}`, 'the URL is longer than 2048 characters'],
]

describe('the live environment sends nothing, and refuses', () => {
  it.each([...loopback, ...notPublic])('%s: %s', async (host, reason) => {
    const { reply, refusalReason } = await send(`https://${host}:PORT/`, withPort('live'))
    expect(reply).toEqual({ kind: 'refused', reason, durationMs: 0 })
    expect(refusalReason).toBe(reason)
    expectNothingSent()
  })

  it.each([
    ['a backslash', 'https:\\\\127.0.0.1:PORT\\'],
    ['no slashes', 'https:127.0.0.1:PORT'],
    ['four slashes', 'https:////127.0.0.1:PORT/'],
    ['another host after a backslash', 'https://127.0.0.1:PORT\\@shop.example/'],
    ['another host after a fragment', 'https://127.0.0.1:PORT#@shop.example/'],
    ['another host after a question mark', 'https://127.0.0.1:PORT?@shop.example/'],
    ['empty credentials', 'https://@127.0.0.1:PORT/'],
  ])('a URL with %s', async (_, url) => {
    const { reply } = await send(url, withPort('live'))
    expect(reply).toMatchObject({ kind: 'refused', reason: LOOPBACK })
    expectNothingSent()
  })

  it.each(['http://shop.example/', 'http://8.8.8.8/', 'http://127.0.0.1:PORT/', 'HTTP://shop.example:443/'])(
    '%s, a URL without TLS',
    async (url) => {
      const { reply } = await send(url, { environment: 'live' })
      expect(reply).toMatchObject({ kind: 'refused', reason: 'the scheme of the URL is not https' })
      expectNothingSent()
    },
  )

  it.each([0, 1, 22, 25, 80, 442, 444, 3306, 5432, 6379, 8080, 8442, 9200, 65_535])(
    'a URL with port %i',
    async (port) => {
      const { reply } = await send(`https://shop.example:${port}/`, { environment: 'live' })
      expect(reply).toMatchObject({ kind: 'refused', reason: 'the port is not one of 443, 8443' })
      expectNothingSent()
    },
  )
})

describe.each(['live', 'test'] as const)('the %s environment refuses URLs, and sends nothing', (environment) => {
  it.each(alwaysRefused)('%s: %s', async (url, reason) => {
    const { reply, refusalReason } = await send(url, withPort(environment))
    expect(reply).toMatchObject({ kind: 'refused', reason })
    expect(refusalReason).toBe(reason)
    expectNothingSent()
  })

  it.each<[string, readonly string[], string]>([
    ['a private address', ['10.0.0.1'], 'a private address (RFC 1918)'],
    ['a private address after a public one', ['8.8.8.8', '192.168.0.1'], 'a private address (RFC 1918)'],
    ['a private address before a public one', ['10.0.0.1', '8.8.8.8'], 'a private address (RFC 1918)'],
    // The live environment names RFC 1122 (the loopback address), the test environment RFC 1918 (the private one).
    ['a private address beside a loopback one', ['127.0.0.1', '10.0.0.1'], '(RFC 1'],
    [
      'a private IPv6 address after public ones',
      ['8.8.8.8', '2606:4700::1111', 'fd00::1'],
      'a private address (RFC 4193)',
    ],
    ['a metadata address of a cloud', ['169.254.169.254'], 'a link-local address (RFC 3927)'],
    ['an IPv4-mapped loopback address', ['::ffff:127.0.0.1'], 'an IPv4-mapped address (RFC 4291)'],
    ['an IPv4-mapped loopback address in hexadecimal', ['::ffff:7f00:1'], 'an IPv4-mapped address (RFC 4291)'],
    ['an address of this network', ['0.0.0.0'], 'an address of this network (RFC 791)'],
    ['the unspecified address', ['::'], 'the unspecified address (RFC 4291)'],
    ['a NAT64 address', ['64:ff9b::7f00:1'], 'a NAT64 address (RFC 6052)'],
    ['a link-local address with its zone', ['fe80::1%eth0'], 'a link-local address (RFC 4291)'],
    ['a text that is not an address', ['127.0.0.1.example'], 'an invalid address'],
  ])('a name that resolves to %s', async (_, addresses, reason) => {
    const resolve = vi.fn(async () => addresses)
    const { reply, refusalReason } = await send('https://shop.example:PORT/', { ...withPort(environment), resolve })
    expect(reply).toMatchObject({ kind: 'refused', reason: expect.stringContaining(reason) })
    expect(refusalReason).toBe(undefined)
    expect(resolve.mock.calls).toEqual([['shop.example']])
    expectNothingSent()
  })
})

describe('names', () => {
  it.each([
    ['127.0.0.1', 'a loopback address (RFC 1122)'],
    ['127.1.2.3', 'a loopback address (RFC 1122)'],
    ['::1', 'a loopback address (RFC 4291)'],
  ])('that resolve to %s are refused in the live environment', async (address, range) => {
    const { reply } = await send('https://shop.example:PORT/', { ...withPort('live'), resolve: async () => [address] })
    expect(reply).toMatchObject({ kind: 'refused', reason: `the name resolves to ${range}` })
    expectNothingSent()
  })

  it('are resolved for each connection, and a forbidden second address is refused', async () => {
    server = await startHttpServer((_, answer) => answer.setHeader('connection', 'close').end())
    const resolve = vi.fn(async () => (resolve.mock.calls.length === 1 ? ['127.0.0.1'] : ['192.168.0.1']))
    const outgoing = createOutgoingClient({ ...withPort('test'), resolve })
    opened.push(outgoing)
    const request = { method: 'POST', url: `http://shop.example:${server.port}/` } as const
    expect(await outgoing.send(request)).toMatchObject({ kind: 'answered', status: 200 })
    expect(resolve).toHaveBeenCalledTimes(1)
    begun.length = 0
    expect(await outgoing.send(request)).toMatchObject({ kind: 'refused' })
    expect(resolve).toHaveBeenCalledTimes(2)
    expect(begun).toEqual([])
    expect(server.connections).toBe(1)
  })

  it('are resolved once for a connection, which uses the checked address', async () => {
    const resolve = vi.fn(async () => ['127.0.0.1'])
    const { reply } = await send('http://shop.example:PORT/', { ...withPort('test'), resolve })
    expect(reply).toMatchObject({ kind: 'answered' })
    expect(resolve).toHaveBeenCalledTimes(1)
    expect(begun).toEqual(['TCPCONNECTWRAP'])
  })

  it('with international letters are resolved as ASCII', async () => {
    const resolve = vi.fn(async () => ['10.0.0.1'])
    await send('https://Bücher.Example:PORT/', { ...withPort('live'), resolve })
    expect(resolve.mock.calls).toEqual([['xn--bcher-kva.example']])
  })
})

describe('in the test environment', () => {
  it.each(loopback.map(([host]) => host).filter((host) => !/255|^\[/.test(host)))(
    '%s is permitted at any port',
    async (host) => {
      const { reply } = await send(`http://${host}:PORT/`, { environment: 'test' })
      expect(reply).toMatchObject({ kind: 'answered', status: 200 })
      expect(server.requests).toBe(1)
      expect(begun).not.toContain('GETADDRINFOREQWRAP')
      expect(begun).not.toContain('QUERYWRAP')
    },
  )

  it.each(notPublic)('%s is refused: %s', async (host, reason) => {
    for (const scheme of ['http', 'https']) {
      const { reply } = await send(`${scheme}://${host}:PORT/`, withPort('test'))
      expect(reply).toMatchObject({ kind: 'refused', reason })
    }
    expectNothingSent()
  })

  it.each([
    ['https://shop.example:PORT/', 'the port is not one of 443, 8443'],
    ['http://shop.example:PORT/', 'the port is not one of 80, 8080'],
    ['http://shop.example:443/', 'the port is not one of 80, 8080'],
    ['http://localhost.example:PORT/', 'the port is not one of 80, 8080'],
    ['http://mylocalhost:PORT/', 'the port is not one of 80, 8080'],
    ['http://127.0.0.1.example:PORT/', 'the port is not one of 80, 8080'],
  ])('%s is refused: %s', async (url, reason) => {
    const { reply } = await send(url, { environment: 'test', resolve: async () => ['127.0.0.1'] })
    expect(reply).toMatchObject({ kind: 'refused', reason })
    expectNothingSent()
  })
})

describe('a URL is permitted', () => {
  it.each([
    ['live', 'https://shop.example/hook?a=b'],
    ['live', 'https://shop.example:443/'],
    ['live', 'https://shop.example:8443/'],
    ['live', 'https://8.8.8.8/'],
    ['live', 'https://[2606:4700::1111]/'],
    ['live', 'https://bücher.example/'],
    ['test', 'https://shop.example/'],
    ['test', 'http://shop.example/'],
    ['test', 'http://shop.example:8080/'],
    ['test', 'http://127.0.0.1:1/'],
    ['test', 'https://localhost:3000/'],
    ['test', 'http://[::1]:3000/'],
  ] as const)('in the %s environment: %s', (environment, url) => {
    const outgoing = createOutgoingClient({ environment })
    opened.push(outgoing)
    expect(outgoing.refusalReason(url)).toBe(undefined)
  })
})
