import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { selfSignedCertificate } from '@tollgate/gateway/testing'
import { afterAll, describe, expect, test } from 'vitest'
import { runCommand } from './testing/run-command.ts'

const KEY = 'a key of my own'

/** Runs `tollgate token list` against a server that is not a gateway. */
async function runAgainst(listener: RequestListener, env: Readonly<Record<string, string>> = {}) {
  const server = createServer(listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = String(typeof address === 'object' ? address?.port : '')
  const settings = { TOLLGATE_MANAGE_PORT: port, TOLLGATE_MANAGE_KEY: KEY, ...env }
  const result = await runCommand(['token', 'list'], settings)
  server.closeAllConnections()
  server.close()
  return { ...result, stderr: result.stderr.replace(port, 'PORT') }
}

const failure = (line: string) => ({ status: 1, stdout: '', stderr: `tollgate: ${line}\n` })
const UNREACHABLE = 'no gateway answers at http://127.0.0.1:PORT; start one with: tollgate serve'

test('a command sends its request with the key and port of the settings', async () => {
  const requests: unknown[] = []
  const result = await runAgainst(({ method, url, headers: { authorization } }, response) => {
    requests.push({ method, url, authorization })
    response.end('{"tokens":[]}')
  })
  expect(requests).toEqual([{ method: 'GET', url: '/manage/v1/tokens', authorization: `Bearer ${KEY}` }])
  expect(result).toEqual({ status: 0, stdout: '{\n  "tokens": []\n}\n', stderr: '' })
})

test('the URL of an IPv6 address has brackets', async () => {
  const result = await runCommand(['token', 'list'], { HOST: '::1', TOLLGATE_MANAGE_PORT: '1' })
  expect(result).toEqual(failure('no gateway answers at http://[::1]:1; start one with: tollgate serve'))
})

test.each<{ server: string; listener: RequestListener; line: string }>([
  { server: 'a closed connection', listener: (request) => void request.socket.destroy(), line: UNREACHABLE },
  {
    server: 'a refused key',
    listener: (_request, response) => void response.writeHead(401).end('{"error":{"status":401,"message":"x"}}'),
    line: 'the gateway refused the key: set TOLLGATE_MANAGE_KEY to the key that it was started with',
  },
  {
    server: 'HTML of another server',
    listener: (_request, response) => void response.end('<h1>Hello</h1>'),
    line: 'http://127.0.0.1:PORT answered 200, but is not a gateway: check HOST and TOLLGATE_MANAGE_PORT',
  },
  {
    server: 'JSON of another server',
    listener: (_request, response) => void response.writeHead(502).end('{"error":"bad gateway"}'),
    line: 'http://127.0.0.1:PORT answered 502, but is not a gateway: check HOST and TOLLGATE_MANAGE_PORT',
  },
  {
    server: 'an internal error of the gateway',
    listener: (_request, response) => void response.writeHead(500).end('{"error":{"message":"Not processed."}}'),
    line: 'Not processed.',
  },
])('$server is reported in one line without the key', async ({ listener, line }) => {
  const result = await runAgainst(listener)
  expect(result).toEqual(failure(line))
  expect(result.stderr).not.toContain(KEY)
})

test('a port without a listener is reported', async () => {
  const result = await runCommand(['entity', 'list'], { TOLLGATE_MANAGE_PORT: '1' })
  expect(result).toEqual(failure(UNREACHABLE.replace('PORT', '1')))
})

test('a misspelt setting is reported with its name', async () => {
  const { status, stderr } = await runCommand(['entity', 'list'], { TOLLGATE_MANGE_PORT: '1' })
  expect([status, stderr]).toEqual([1, expect.stringMatching(/^tollgate: TOLLGATE_MANGE_PORT is not a setting .+\n$/)])
})

describe('with TLS', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-client-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const [ownCertificate, otherCertificate] = [
    selfSignedCertificate(['pay.example']),
    selfSignedCertificate(['pay.example']),
  ]
  const [file, key] = [join(folder, 'tls.crt'), join(folder, 'tls.key')]
  writeFileSync(file, ownCertificate.cert)

  /** Runs `tollgate token list` against a server with the given certificate. */
  async function listTokensFrom({ cert, key: privateKey }: typeof ownCertificate) {
    const authorizations: unknown[] = []
    const server = createTlsServer({ cert, key: privateKey }, ({ headers: { authorization } }, response) => {
      authorizations.push(authorization)
      response.end('{"tokens":[]}')
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    const port = String(typeof address === 'object' ? address?.port : '')
    const tls = { TOLLGATE_TLS_CERT: file, TOLLGATE_TLS_KEY: key }
    const result = await runCommand(['token', 'list'], { TOLLGATE_MANAGE_PORT: port, TOLLGATE_MANAGE_KEY: KEY, ...tls })
    server.close()
    return { result, authorizations }
  }

  test('a server with the certificate of the settings receives the request, even with another host name', async () => {
    const { result, authorizations } = await listTokensFrom(ownCertificate)
    expect([result.status, result.stderr, authorizations]).toEqual([0, '', [`Bearer ${KEY}`]])
  })

  test('a server with another certificate does not receive the key', async () => {
    const { result, authorizations } = await listTokensFrom(otherCertificate)
    const line = `the gateway's certificate is not the one in ${file} (TOLLGATE_TLS_CERT)`
    expect([result, authorizations]).toEqual([failure(line), []])
  })

  test('a certificate that cannot be read is reported with its path', async () => {
    const tls = { TOLLGATE_TLS_CERT: key, TOLLGATE_TLS_KEY: key }
    const result = await runCommand(['token', 'list'], { TOLLGATE_MANAGE_PORT: '1', TOLLGATE_MANAGE_KEY: KEY, ...tls })
    expect(result).toEqual(failure(`TOLLGATE_TLS_CERT: ${key} cannot be read as a certificate`))
  })
})
