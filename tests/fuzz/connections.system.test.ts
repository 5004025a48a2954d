import { once } from 'node:events'
import { connect } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { inParallel } from '../support/http.ts'
import { authorization, cardPayment } from '../support/payments.ts'
import { cleanUp, startGateway, temporaryFolder } from '../support/process.ts'
import { type Random, randomOf } from '../support/random.ts'

const connectionCount = process.env['TOLLGATE_TEST_LONG'] === '1' ? 20_000 : 300
const seed = Number(process.env['TOLLGATE_TEST_SEED'] ?? Math.floor(Math.random() * 2 ** 31))

afterEach(cleanUp)

test(`${connectionCount} mutated requests receive JSON below status 500, or no answer`, async () => {
  const gateway = await startGateway({ data: temporaryFolder() })
  const { port } = new URL(gateway.url)
  const failures: string[] = []
  const steps = Array.from({ length: connectionCount }, (_, step) => step)
  await inParallel(steps, 32, async (step) => {
    const bytes = mutateRequest(randomOf(seed, step))
    const forbidden = forbiddenAnswersIn(await exchange(Number(port), bytes))
    if (forbidden.length > 0)
      failures.push(`${step}: ${JSON.stringify(bytes.toString('latin1'))}\n${forbidden.join('\n')}`)
  })
  expect(failures.slice(0, 5).join('\n\n'), `replay with TOLLGATE_TEST_SEED=${seed}`).toBe('')
  expect(gateway.stderr()).toBe('')
  expect(await gateway.stop()).toEqual({ code: 0, signal: null })
})

const body = new URLSearchParams(cardPayment()).toString()
const request = [
  'POST /v1/payments HTTP/1.1',
  'Host: localhost',
  'Connection: close',
  `Authorization: ${authorization['authorization']}`,
  'Content-Type: application/x-www-form-urlencoded',
  `Content-Length: ${body.length}`,
  '',
  body,
].join('\r\n')

/** Inserts, removes or replaces bytes of the request, or truncates it. */
function mutateRequest({ below, pick, chance }: Random): Buffer {
  let bytes = Buffer.from(request, 'latin1')
  // Most of the changes affect the HTTP head, not the form.
  const headLength = bytes.length - body.length
  for (let remaining = 1 + below(3); remaining > 0; remaining -= 1) {
    const position = below(chance(0.9) ? headLength : bytes.length)
    const removed = pick([0, 0, 1, 1, 2, 40])
    const inserted = pick([
      [],
      [below(256)],
      [0],
      [13, 10],
      [10],
      [...Buffer.from('Content-Length: 5\r\n')],
      [...Buffer.from('Transfer-Encoding: chunked\r\n')],
      [...Buffer.from('9'.repeat(30))],
      [...Buffer.from('x'.repeat(20_000))],
    ])
    bytes = Buffer.concat([bytes.subarray(0, position), Buffer.from(inserted), bytes.subarray(position + removed)])
  }
  return chance(0.2) ? bytes.subarray(0, below(bytes.length)) : bytes
}

/** Sends the bytes, half-closes the connection, and returns all received bytes. */
async function exchange(port: number, bytes: Buffer): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let received = ''
  socket.on('data', (data) => (received += data.toString('latin1')))
  socket.on('error', () => undefined)
  socket.end(bytes)
  await once(socket, 'close')
  return received
}

/** The answers that are forbidden: those without JSON and a result code, and those of class 5xx. */
function forbiddenAnswersIn(received: string): readonly string[] {
  const answers = received.split(/(?=HTTP\/1\.1 )/)
  return answers.filter((answer) => answer !== '' && !isPermitted(answer))
}

function isPermitted(text: string): boolean {
  const [head = '', json = ''] = text.split('\r\n\r\n', 2)
  const [, status] = /^HTTP\/1\.1 (\d{3}) /.exec(head) ?? []
  if (Number(status) >= 500 || !/^content-type: application\/json;charset=UTF-8$/im.test(head)) return false
  try {
    return JSON.parse(json).result.code !== undefined
  } catch {
    return false
  }
}
