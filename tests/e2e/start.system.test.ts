import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { generateKeys } from '@tollgate/gateway'
import { afterEach, expect, test } from 'vitest'
import { bodyOf } from '../support/http.ts'
import { manage } from '../support/manage.ts'
import { cardPayment } from '../support/payments.ts'
import { cleanUp, launch, startGateway, temporaryFolder } from '../support/process.ts'

afterEach(cleanUp)

/** The message of a failed start. The process must exit by itself, with one line for the operator. */
async function refusalOf(data: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
  const launched = launch({ data, env })
  expect(await launched.ended).toEqual({ code: 1, signal: null })
  expect(launched.stdout()).toBe('')
  expect(launched.stderr()).toMatch(/^tollgate: .+\n$/)
  return launched.stderr()
}

test('the start prints a valid management key and a command that pays; the payment page passes its check', async () => {
  const gateway = await startGateway({ data: temporaryFolder() })
  const printed = gateway.stdout()
  expect(printed.endsWith(`\nTollgate listening on ${gateway.url}\n`)).toBe(true)
  expect(bodyOf({ status: 200, headers: {}, text: await runCurl(commandIn(printed)) })).toMatchObject({
    result: { code: '000.100.110' },
    amount: '92.00',
  })

  const [, manageUrl = '', key = ''] = /management API +(\S+) +key (\S+)/.exec(printed) ?? []
  const entities = await fetch(`${manageUrl}/entities`, { headers: { authorization: `Bearer ${key}` } })
  expect(entities.status).toBe(200)
  const [, token = ''] = /access token +(\S+)/.exec(printed) ?? []
  expect(commandIn(printed)).toContain(`Bearer ${token}`)

  // The self-check of the gateway has found that the served files equal the built files.
  const outcome = async () => (await manage<PaymentPage>(gateway, 'GET', '/payment-page')).check?.outcome
  await expect.poll(outcome, { timeout: 20_000 }).toBe('same')
  expect(gateway.stderr()).toBe('')
})

test('tollgate simulate starts banks, wallets and issuers in their own process', async () => {
  const folder = join(import.meta.dirname, '../../..')
  const command = [process.execPath, 'dist/tollgate.js', 'simulate', '--port', '0']
  const launched = launch({ data: temporaryFolder(), program: { command, folder, user: undefined } })
  await expect.poll(launched.stdout).toMatch(/^Simulators listening on \S+\n$/)
  const [, url = ''] = /on (\S+)/.exec(launched.stdout()) ?? []
  expect((await fetch(`${url}/bank/unknown`)).status).toBe(404)
  launched.signal('SIGTERM')
  expect(await launched.ended).toEqual({ code: 0, signal: null })
})

interface PaymentPage {
  readonly check?: { readonly outcome: string }
}

/** The curl command in the printed text. Each of its lines except the last ends with a backslash. */
function commandIn(printed: string): string {
  return /^curl(?:.*\\\n)+.*$/m.exec(printed)?.[0] ?? ''
}

/** Runs the command in a shell, or sends the same request by fetch if curl is not installed. */
async function runCurl(command: string): Promise<string> {
  if (hasCurl()) return execFileSync('sh', ['-c', command], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  const pairs = (option: string, separator: string) =>
    Array.from(command.matchAll(new RegExp(` -${option} "(.*)"`, 'g')), ([, value = '']): [string, string] => {
      const nameEnd = value.indexOf(separator)
      return [value.slice(0, nameEnd), value.slice(nameEnd + separator.length)]
    })
  const [, url = ''] = command.split(' ')
  const body = new URLSearchParams(pairs('d', '='))
  const answer = await fetch(url, { method: 'POST', headers: pairs('H', ': '), body })
  return answer.text()
}

function hasCurl(): boolean {
  try {
    execFileSync('curl', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

test('an unusable database is refused in one line without the password', async () => {
  const url = 'postgres://user:not-to-be-printed@127.0.0.1:1/tollgate'
  const refusal = await refusalOf(join(temporaryFolder(), 'data'), { TOLLGATE_DATABASE_URL: url })
  expect(refusal).toContain('TOLLGATE_DATABASE_URL')
  expect(refusal).toContain('ECONNREFUSED')
  expect(refusal).not.toContain('not-to-be-printed')
})

// The other settings are tested without a process, because starting a process takes long.
test.each<readonly [setting: string, value: string, expected: string]>([
  ['HOST', '203.0.113.1', '203.0.113.1'],
  ['TOLLGATE_DTA', './data', 'TOLLGATE_DTA'],
])('%s=%s is refused in one line', async (setting, value, expected) => {
  const data = join(temporaryFolder(), 'data')
  expect(await refusalOf(data, { [setting]: value })).toContain(expected)
})

test('an unusable data folder is refused in one line', async () => {
  const folder = temporaryFolder()
  const file = join(folder, 'file')
  writeFileSync(file, '')
  expect(await refusalOf(file)).toContain(file)
  mkdirSync(join(folder, 'data'))
  writeFileSync(join(folder, 'data', 'tollgate.db'), 'these bytes are not a database')
  expect(await refusalOf(join(folder, 'data'))).toContain('tollgate.db')
})

test('an unreadable key file is refused in one line', async () => {
  const folder = temporaryFolder()
  expect(await refusalOf(join(folder, 'data'), { TOLLGATE_KEYS: folder })).toContain(folder)
})

test('an occupied port is refused in one line', async () => {
  const other = createServer()
  const port = await new Promise<number>((resolve) => {
    other.listen(0, '127.0.0.1', () => {
      const address = other.address()
      resolve(typeof address === 'object' ? (address?.port ?? 0) : 0)
    })
  })
  try {
    expect(await refusalOf(temporaryFolder(), { TOLLGATE_MANAGE_PORT: String(port) })).toContain(String(port))
  } finally {
    other.close()
  }
})

test('a second process on the same data is refused in one line, and the first continues', async () => {
  const data = temporaryFolder()
  const gateway = await startGateway({ data })
  expect(await refusalOf(data)).toContain(data)
  expect((await gateway.pay(cardPayment())).status).toBe(200)
})

test('data are refused without their keys or with other keys, and stay intact', async () => {
  const [data, otherFolder] = [temporaryFolder(), temporaryFolder()]
  const [file, movedFile] = [join(data, 'keys.json'), join(otherFolder, 'keys.json')]
  const gateway = await startGateway({ data })
  const { id } = bodyOf(await gateway.pay(cardPayment()))
  await gateway.stop()

  renameSync(file, movedFile)
  expect(await refusalOf(data)).toContain(file)
  expect(existsSync(file)).toBe(false)
  writeFileSync(file, generateKeys(), { mode: 0o600 })
  expect(await refusalOf(data)).toContain(file)
  rmSync(file)

  renameSync(movedFile, file)
  const restarted = await gateway.restart()
  expect(bodyOf(await restarted.get(id)).id).toBe(id)
})
