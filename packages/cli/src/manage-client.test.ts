import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { selfSigned } from '@tollgate/gateway/testing'
import { afterAll, describe, expect, test } from 'vitest'
import { captured } from './testing/captured.ts'

const KEY = 'a key of my own'

/** Runs `tollgate token list` against a server that is not a gateway. */
async function against(listener: RequestListener, env: Readonly<Record<string, string>> = {}) {
  const server = createServer(listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = String(typeof address === 'object' ? address?.port : '')
  const settings = { TOLLGATE_MANAGE_PORT: port, TOLLGATE_MANAGE_KEY: KEY, ...env }
  const ran = await captured(['token', 'list'], settings)
  server.closeAllConnections()
  server.close()
  return { ...ran, stderr: ran.stderr.replace(port, 'PORT') }
}

const failure = (line: string) => ({ status: 1, stdout: '', stderr: `tollgate: ${line}\n` })
const UNREACHABLE = 'no gateway answers at http://127.0.0.1:PORT; start one with: tollgate serve'

test('asks with the key and the path that the settings give', async () => {
  const asked: unknown[] = []
  const ran = await against(({ method, url, headers: { authorization } }, response) => {
    asked.push({ method, url, authorization })
    response.end('{"tokens":[]}')
  })
  expect(asked).toEqual([{ method: 'GET', url: '/manage/v1/tokens', authorization: `Bearer ${KEY}` }])
  expect(ran).toEqual({ status: 0, stdout: '{\n  "tokens": []\n}\n', stderr: '' })
})

test('an IPv6 address is written as addresses are', async () => {
  const ran = await captured(['token', 'list'], { HOST: '::1', TOLLGATE_MANAGE_PORT: '1' })
  expect(ran).toEqual(failure('no gateway answers at http://[::1]:1; start one with: tollgate serve'))
})

test.each<{ what: string; listener: RequestListener; line: string }>([
  { what: 'a server that hangs up', listener: (request) => void request.socket.destroy(), line: UNREACHABLE },
  {
    what: 'a refused key',
    listener: (_request, response) => void response.writeHead(401).end('{"error":{"status":401,"message":"x"}}'),
    line: 'the gateway refuses the key: set TOLLGATE_MANAGE_KEY to the one that it was started with',
  },
  {
    what: 'a stranger with a page',
    listener: (_request, response) => void response.end('<h1>Hello</h1>'),
    line: 'http://127.0.0.1:PORT answered 200, but not as a gateway does',
  },
  {
    what: 'a stranger with JSON',
    listener: (_request, response) => void response.writeHead(502).end('{"error":"bad gateway"}'),
    line: 'http://127.0.0.1:PORT answered 502, but not as a gateway does',
  },
  {
    what: 'a gateway that is out of order',
    listener: (_request, response) => void response.writeHead(500).end('{"error":{"message":"Not processed."}}'),
    line: 'Not processed.',
  },
])('$what: one line, and never the key', async ({ listener, line }) => {
  const ran = await against(listener)
  expect(ran).toEqual(failure(line))
  expect(ran.stderr).not.toContain(KEY)
})

test('nobody listens', async () => {
  const ran = await captured(['entity', 'list'], { TOLLGATE_MANAGE_PORT: '1' })
  expect(ran).toEqual(failure(UNREACHABLE.replace('PORT', '1')))
})

test('a misspelt setting is named', async () => {
  const { status, stderr } = await captured(['entity', 'list'], { TOLLGATE_MANGE_PORT: '1' })
  expect([status, stderr]).toEqual([1, expect.stringMatching(/^tollgate: TOLLGATE_MANGE_PORT is not a setting .+\n$/)])
})

describe('with TLS', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-client-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const [own, other] = [selfSigned(['pay.example']), selfSigned(['pay.example'])]
  const [file, key] = [join(folder, 'tls.crt'), join(folder, 'tls.key')]
  writeFileSync(file, own.cert)

  /** Runs `tollgate token list` against a server that shows a certificate. */
  async function showing({ cert, key: itsKey }: typeof own) {
    const seen: unknown[] = []
    const server = createTlsServer({ cert, key: itsKey }, ({ headers: { authorization } }, response) => {
      seen.push(authorization)
      response.end('{"tokens":[]}')
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    const port = String(typeof address === 'object' ? address?.port : '')
    const tls = { TOLLGATE_TLS_CERT: file, TOLLGATE_TLS_KEY: key }
    const ran = await captured(['token', 'list'], { TOLLGATE_MANAGE_PORT: port, TOLLGATE_MANAGE_KEY: KEY, ...tls })
    server.close()
    return { ran, seen }
  }

  test('whoever shows the certificate of the settings is asked, whatever names it bears', async () => {
    const { ran, seen } = await showing(own)
    expect([ran.status, ran.stderr, seen]).toEqual([0, '', [`Bearer ${KEY}`]])
  })

  test('whoever shows another one gets no key', async () => {
    const { ran, seen } = await showing(other)
    const line = `the gateway shows another certificate than the one in ${file}, which TOLLGATE_TLS_CERT names`
    expect([ran, seen]).toEqual([failure(line), []])
  })

  test('a certificate that cannot be read is named', async () => {
    const tls = { TOLLGATE_TLS_CERT: key, TOLLGATE_TLS_KEY: key }
    const ran = await captured(['token', 'list'], { TOLLGATE_MANAGE_PORT: '1', TOLLGATE_MANAGE_KEY: KEY, ...tls })
    expect(ran).toEqual(failure(`TOLLGATE_TLS_CERT: ${key} cannot be read as a certificate`))
  })
})
