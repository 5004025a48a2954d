import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rowJson, sandboxIds, sandboxToken } from '@tollgate/operations'
import { clientArguments, createKeyPair, hasOpenSsh, type KeyPair, openSsh, runProgram } from '@tollgate/sftp/testing'
import { settlementFile, settlementRow } from '@tollgate/storage/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type RunningGateway, startGateway } from '../start-gateway.ts'
import { readConfig } from '../config.ts'
import { cardPayment, formOf } from '../testing/test-gateway.ts'

// OpenSSH's own client against the SFTP server of a whole gateway, whose process is killed while payments go on.

const canRun = hasOpenSsh()
const home = mkdtempSync(join(tmpdir(), 'tollgate-sftp-'))
const [local, knownHosts] = [join(home, 'local'), join(home, 'known-hosts')]
const day = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10)
let running: RunningGateway
let otherMerchant: string
let mine: KeyPair
let theirs: KeyPair
let port = 0

const manage = async (method: string, path: string, body?: object) => {
  const response = await fetch(`${running.manageUrl}/manage/v1${path}`, {
    method,
    headers: { authorization: 'Bearer manage-sandbox', ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, text, body: text.startsWith('{') ? JSON.parse(text) : undefined }
}

const pay = async () => {
  const response = await fetch(`${running.publicUrl}/v1/payments`, {
    method: 'POST',
    headers: { authorization: `Bearer ${sandboxToken}`, 'content-type': 'application/x-www-form-urlencoded' },
    body: formOf(cardPayment({ entityId: sandboxIds.channel })),
  })
  return response.status
}

/** Stores settled rows of a merchant. */
async function addRows(merchant: string, settledOn: string, count: number, firstNumber = 1): Promise<void> {
  const { storage, ids } = running.gateway
  const fileId = ids.random()
  const file = settlementFile(fileId, {
    digest: fileId.repeat(2),
    state: 'read',
    format: 'tollgate-csv',
    institute: 'N',
  })
  const rows = Array.from({ length: count }, (_, index) =>
    settlementRow(firstNumber + index, {
      file_id: fileId,
      merchant,
      channel: sandboxIds.channel,
      status: 'NOT_MATCHED',
      transaction_id: null,
      settled_on: settledOn,
      row: rowJson(
        {
          kind: 'SETTLED',
          type: 'DEBIT',
          cashflow: 'POS',
          clearingMerchantId: 'NORTH0000000001',
          merchantTransactionId: `order-${merchant.slice(-4)}-${firstNumber + index}`,
          amountMinor: 9200,
          currency: 'EUR',
          settlementAmountMinor: 9200,
          settlementCurrency: 'EUR',
          settledOn,
          status: 'SUCCESS',
          line: index,
        },
        undefined,
      ),
      changed_at_ms: Date.now(),
    }),
  )
  await storage.commit({
    id: ids.ordered(),
    expectedVersions: [],
    rows: { settlement_file: [file], settlement_row: rows },
  })
}

const addKey = async (entityId: string, { publicKey }: KeyPair, label = 'import') => {
  const { status, body } = await manage('POST', '/sftp-keys', { entityId, publicKey, label })
  expect(status).toBe(201)
  return body
}

const serverState = async () => (await manage('GET', '/sftp-server')).body

/** Waits until the server listens. */
async function listening() {
  await vi.waitFor(async () => expect((await serverState()).state).toBe('listening'), {
    timeout: 60_000,
    interval: 200,
  })
  const state = await serverState()
  port = state.port
  writeFileSync(knownHosts, `[127.0.0.1]:${port} ${state.hostKey}\n`)
  return state
}

/** Runs a batch of commands of sftp. */
const sftp = (
  commands: readonly string[],
  { key = mine.path, name = sandboxIds.merchant }: { readonly key?: string; readonly name?: string } = {},
) =>
  runProgram(
    openSsh.sftp,
    [...clientArguments({ key, knownHosts }), '-P', String(port), '-b', '-', `${name}@127.0.0.1`],
    `${commands.join('\n')}\n`,
  )

/** What sftp lists: its output without the commands and the refusals, which repeat the paths of the commands. */
const listedIn = ({ output }: { readonly output: string }) => output.replaceAll(/^(?:sftp> |Can't ls: ).*$/gm, '')

const ssh = (options: readonly string[], ...command: readonly string[]) =>
  runProgram(openSsh.ssh, [
    ...clientArguments({ key: mine.path, knownHosts }),
    '-p',
    String(port),
    ...options,
    `${sandboxIds.merchant}@127.0.0.1`,
    ...command,
  ])

beforeAll(async () => {
  if (!canRun) return
  mkdirSync(local)
  mine = createKeyPair(home, 'mine')
  theirs = createKeyPair(home, 'theirs', '-t', 'ecdsa', '-b', '384')
  running = await startGateway(
    readConfig({
      PORT: '0',
      TOLLGATE_MANAGE_PORT: '0',
      TOLLGATE_SFTP_PORT: '0',
      TOLLGATE_DATA: join(home, 'data'),
      TOLLGATE_LOG: 'silent',
    }),
  )
  const psp = (await manage('GET', '/entities?kind=division')).body.entities[0].id
  otherMerchant = (await manage('POST', '/entities', { kind: 'merchant', name: 'Other', parentId: psp })).body.id
  await addRows(sandboxIds.merchant, day(1), 2_000)
  await addRows(sandboxIds.merchant, day(9), 3, 10_000)
  await addRows(sandboxIds.merchant, day(0), 3, 20_000)
  await addRows(otherMerchant, day(1), 1)
  await addKey(sandboxIds.merchant, mine)
  await addKey(otherMerchant, theirs)
  await listening()
  const listed = async (options?: object) => (await sftp(['ls /records', 'ls /records-with-ids'], options)).output
  const written = async () => {
    expect(await listed()).toContain(`records-with-ids/${day(9)}`)
    expect(await listed({ key: theirs.path, name: otherMerchant })).toContain(`records-with-ids/${day(1)}`)
  }
  await vi.waitFor(written, { timeout: 150_000, interval: 1_000 })
}, 240_000)

// On a busy machine the process may have been started again, at another port.
beforeEach(async () => {
  if (canRun) await listening()
}, 90_000)

afterAll(async () => {
  if (canRun) await running.stop()
  rmSync(home, { recursive: true })
})

describe.runIf(canRun)('the SFTP server', () => {
  test('shows the record of each finished day with its size', async () => {
    const { output, code } = await sftp(['ls -l /', 'ls -l /records', 'ls /records-with-ids'])
    expect(code).toBe(0)
    expect(output).toMatch(/^drwx.* records$/m)
    expect(output).toContain(`/records-with-ids/${day(1)}.csv`)
    expect(output).not.toContain(day(0))
    const expected = await manage('GET', `/reconciliation-records/${sandboxIds.merchant}?from=${day(1)}&to=${day(1)}`)
    expect(expected.text.split('\n').length).toBeGreaterThan(2_000)
    expect(output).toMatch(new RegExp(` ${Buffer.byteLength(expected.text)} .*${day(1)}\\.csv$`, 'm'))
    await sftp([`get /records/${day(1)}.csv ${local}/record.csv`])
    expect(readFileSync(join(local, 'record.csv'), 'utf8')).toBe(expected.text)
  })

  test('shows the record with the columns of the merchant’s references', async () => {
    const path = `/reconciliation-records/${sandboxIds.merchant}?from=${day(1)}&to=${day(1)}&merchantReferences=true`
    await sftp([`get records-with-ids/${day(1)}.csv ${local}/with-ids.csv`])
    expect(readFileSync(join(local, 'with-ids.csv'), 'utf8')).toBe((await manage('GET', path)).text)
  })

  test('an interrupted download is resumed', async () => {
    await sftp([`get records/${day(1)}.csv ${local}/whole.csv`])
    const whole = readFileSync(join(local, 'whole.csv'))
    writeFileSync(join(local, 'part.csv'), whole.subarray(0, 70_000))
    expect(await sftp([`reget records/${day(1)}.csv ${local}/part.csv`])).toMatchObject({ code: 0 })
    expect(readFileSync(join(local, 'part.csv'))).toEqual(whole)
  })

  test('merchants see their own files only', async () => {
    const options = { key: theirs.path, name: otherMerchant }
    const { output } = await sftp(['ls /records', `get /records/${day(1)}.csv ${local}/other.csv`], options)
    expect(output).not.toContain(day(9))
    expect(readFileSync(join(local, 'other.csv'), 'utf8')).not.toContain('order-')
    for (const path of ['..', `../${otherMerchant}`, `/../${otherMerchant}/records`, `/${otherMerchant}`, '/versions'])
      expect(listedIn(await sftp([`ls ${path}`]))).not.toMatch(new RegExp(`${otherMerchant}/records|json`))
    expect(await sftp([`get ../../../etc/passwd ${local}/leaked`])).toMatchObject({ code: 1 })
    expect(await sftp([`get /../tollgate.db ${local}/leaked`])).toMatchObject({ code: 1 })
  })

  test.each([
    ['the key of another merchant', () => ({ key: theirs.path })],
    ['an unknown user', () => ({ name: 'root' })],
    ['the id of another merchant', () => ({ name: otherMerchant })],
  ])('%s is refused', async (_, options) => {
    expect(await sftp(['ls'], options())).toMatchObject({
      code: 255,
      output: expect.stringContaining('Permission denied'),
    })
  })

  test('passwords, shells, commands and forwarding are refused', async () => {
    const password = await ssh(['-o', 'PreferredAuthentications=password,keyboard-interactive'], 'true')
    expect(password).toMatchObject({ code: 255, output: expect.stringContaining('(publickey)') })
    for (const command of [[], ['true'], ['cat', '/etc/passwd']]) expect((await ssh([], ...command)).code).not.toBe(0)
    expect((await ssh(['-N', '-o', 'ExitOnForwardFailure=yes', '-R', '0:127.0.0.1:1'])).code).not.toBe(0)
    expect((await ssh(['-W', '127.0.0.1:1'])).code).not.toBe(0)
  })

  test.each([
    'put {local}/new.csv /records/new.csv',
    'rm /records/{day}.csv',
    'rename /records/{day}.csv /records/new.csv',
    'mkdir /new',
    'rmdir /records',
    'ln -s /records/{day}.csv /new.csv',
    'chmod 777 /records',
  ])('may not: %s', async (command) => {
    writeFileSync(join(local, 'new.csv'), 'changed')
    const result = await sftp([command.replace('{local}', local).replace('{day}', day(1))])
    expect(result).toMatchObject({ code: 1, output: expect.stringMatching(/denied|unsupported|does not support/i) })
  })

  test('a revoked key loses its session, and a new key is accepted', async () => {
    const replaced = createKeyPair(home, 'replaced')
    const key = await addKey(sandboxIds.merchant, replaced, 'old import')
    const accepted = async () => (await sftp(['pwd'], { key: replaced.path })).code
    await expect.poll(accepted, { timeout: 60_000, interval: 500 }).toBe(0)
    // The client keeps its session until the file is removed: only the server can end it earlier.
    const sessionFile = join(home, 'session')
    writeFileSync(sessionFile, '')
    const session = sftp(['pwd', `!while test -e ${sessionFile}; do sleep 0.1; done`, 'pwd'], { key: replaced.path })
    await expect.poll(async () => (await serverState()).connections, { timeout: 60_000 }).toBe(1)
    expect(await manage('DELETE', `/sftp-keys/${key.id}`)).toMatchObject({ status: 200 })
    await expect.poll(async () => (await serverState()).connections, { timeout: 60_000 }).toBe(0)
    rmSync(sessionFile)
    await session
    expect(await accepted()).toBe(255)
    const shown = async () => {
      const { body } = await manage('GET', `/sftp-keys?entityId=${sandboxIds.merchant}`)
      return body.keys.find(({ id }: { id: string }) => id === key.id)
    }
    await expect.poll(shown, { timeout: 20_000, interval: 500 }).toMatchObject({
      userName: sandboxIds.merchant,
      label: 'old import',
      lastUsedAt: expect.any(String),
      revokedAt: expect.any(String),
    })
  }, 120_000)

  test('a killed process is started again, with the same host key, while payments go on', async () => {
    const before = await listening()
    const { restarts = 0 } = before
    const pid = running.gateway.sftpServer?.state().pid ?? 0
    const payments = Array.from({ length: 20 }, () => pay())
    process.kill(pid, 'SIGKILL')
    expect(new Set(await Promise.all(payments))).toEqual(new Set([200]))
    await expect.poll(async () => (await serverState()).restarts, { timeout: 60_000 }).toBe(restarts + 1)
    const after = await listening()
    expect(after.fingerprint).toBe(before.fingerprint)
    expect(running.gateway.sftpServer?.state().pid).not.toBe(pid)
    expect(await sftp(['ls /records'])).toMatchObject({ code: 0 })
    expect(await pay()).toBe(200)
  }, 60_000)

  test('the process can write no file, and its files are closed to other users', () => {
    const data = join(home, 'data')
    expect(statSync(join(data, 'sftp-host-key')).mode & 0o777).toBe(0o600)
    expect(statSync(join(data, 'sftp-records/files', sandboxIds.merchant)).mode & 0o777).toBe(0o700)
    expect(readdirSync(join(data, 'sftp-records/files')).toSorted()).toEqual(
      [sandboxIds.merchant, otherMerchant].toSorted(),
    )
    const pid = running.gateway.sftpServer?.state().pid ?? 0
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
    expect(command).toMatch(/--(?:experimental-)?permission/)
    expect(command).not.toMatch(/allow-fs-write|allow-child-process/)
    const secrets = readFileSync(`/proc/${pid}/environ`, 'utf8')
      .split('\0')
      .filter((line) => !line.startsWith('NODE_CHANNEL'))
    expect(secrets.filter((line) => line !== '')).toEqual([])
  })
})
