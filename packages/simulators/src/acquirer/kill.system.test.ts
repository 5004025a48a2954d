import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ListenerAddress } from './acquirer.ts'
import type { HostMessage } from './host-message.ts'
import { originalDataOf, testMessage, visa } from './testing/messages.ts'
import { TestClient } from './testing/test-client.ts'
import type { TransactionView } from './views.ts'

const program = `
  import { startSimulators } from ${JSON.stringify(new URL('../index.js', import.meta.url).href)}
  const acquirer = { file: process.argv[1] }
  const clock = { now: () => Number(process.argv[2]) }
  const options = { host: '127.0.0.1', port: 0, acquirerPort: 0, acquirer, clock }
  const { url, acquirerAddress } = await startSimulators(options)
  process.stdout.write(JSON.stringify({ url, address: acquirerAddress }))`

let folder = ''
let file = ''
let child: ChildProcess | undefined

interface Started {
  readonly url: string
  readonly address: ListenerAddress
}

/** @param at the time of the host's clock, which stands still */
async function start(at = '2026-11-20T09:00:00Z'): Promise<Started> {
  const started = spawn(process.execPath, ['--input-type=module', '-e', program, file, String(Date.parse(at))], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  child = started
  const [line] = await once(started.stdout, 'data')
  return JSON.parse(String(line))
}

async function kill(): Promise<void> {
  const killed = child
  child = undefined
  if (killed === undefined) return
  const exited = once(killed, 'exit')
  killed.kill('SIGKILL')
  await exited
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-acquirer-'))
  file = join(folder, 'journal')
})

afterEach(async () => {
  await kill()
  rmSync(folder, { recursive: true })
})

/** Message number n of the load: a hold, its capture, a sale, and its reversal. */
function messageAt(number: number): HostMessage {
  const stan = number + 1
  switch (number % 4) {
    case 0:
      return testMessage({ type: '0100', stan })
    case 1:
      return testMessage({ type: '0220', stan, amount: 5000, fields: { 90: originalDataOf(messageAt(number - 1)) } })
    case 2:
      return testMessage({ type: '0200', stan })
    default:
      return testMessage({ type: '0400', stan, fields: { 90: originalDataOf(messageAt(number - 1)) } })
  }
}

const repeatOf = ({ type, fields }: HostMessage): HostMessage => ({ type: `${type.slice(0, 3)}1`, fields })

const ANSWERS_BEFORE_KILL = 300
const IN_FLIGHT = 16

/** Sends the load until the host is killed. @returns the number of sent messages, and the received answers */
async function loadUntilKilled(client: TestClient) {
  let sent = 0
  const answers: HostMessage[] = []
  const sendNext = (): void => client.send(messageAt(sent++))
  for (let i = 0; i < IN_FLIGHT; i++) sendNext()
  for (;;) {
    const answer = await Promise.race([client.next(), client.closed])
    if (answer === undefined) return { sent, answers }
    answers.push(answer)
    sendNext()
    if (answers.length === ANSWERS_BEFORE_KILL) child?.kill('SIGKILL')
  }
}

async function transactionsOf({ url }: Started): Promise<readonly TransactionView[]> {
  const { transactions }: { transactions: readonly TransactionView[] } = JSON.parse(
    await (await fetch(`${url}/acquirer/transactions`)).text(),
  )
  return transactions.toReversed()
}

const totalsOf = async ({ url }: Started): Promise<unknown> => {
  const { open }: { open: unknown } = JSON.parse(await (await fetch(`${url}/acquirer/totals`)).text())
  return open
}

const settlementFileOf = async ({ url }: Started): Promise<string> =>
  (await fetch(`${url}/acquirer/settlement-files?date=2026-11-20`)).text()

test('a host that is killed under load has all answered messages after its restart', { timeout: 60_000 }, async () => {
  const first = await start()
  const { sent, answers } = await loadUntilKilled(await TestClient.signedOn(first.address))
  await kill()
  expect(answers.length).toBeGreaterThanOrEqual(ANSWERS_BEFORE_KILL)
  expect(answers.map(({ fields }) => fields[39])).toEqual(answers.map(() => '00'))
  expect(readFileSync(file, 'utf8')).not.toContain(visa)

  const second = await start()
  const stored = new Map((await transactionsOf(second)).map((transaction) => [transaction.stan, transaction]))
  for (const { type, fields } of answers) {
    if (type === '0410') continue
    const { approvalCode, capturedMinor, state } = stored.get(fields[11] ?? '') ?? {}
    expect([fields[11], approvalCode]).toEqual([fields[11], fields[38]])
    if (type === '0230') expect([capturedMinor, state]).toEqual([5000, 'captured'])
  }
  // Every message again: those with an answer get the same one, and the others are processed once.
  const client = await TestClient.signedOn(second.address)
  for (let number = 0; number < sent; number++) {
    const answer = await client.request(repeatOf(messageAt(number)))
    expect(answer).toEqual(answers[number] ?? answer)
    expect(answer?.fields[39]).toBe('00')
  }
  const after = await transactionsOf(second)
  expect(after.map(({ stan }) => Number(stan))).toEqual(
    Array.from({ length: sent }, (_, number) => number + 1).filter((stan) => stan % 4 !== 0),
  )
  const groups = Array.from({ length: sent }, (_, number) => number % 4)
  const count = (kind: number): number => groups.filter((group) => group === kind).length
  const totals = {
    debits: { count: count(1) + count(2), amountMinor: 5000 * count(1) + 9200 * count(2) },
    debitReversals: { count: count(3), amountMinor: 9200 * count(3) },
  }
  expect(await totalsOf(second)).toMatchObject([{ totals }])
  await kill()

  appendFileSync(file, '{"atMs":1,"changes":[{"kind":"add"')
  const third = await start('2026-11-21T09:00:00Z')
  expect([await transactionsOf(third), await totalsOf(third)]).toMatchObject([after, [{ totals }]])
  const settlementFile = await settlementFileOf(third)
  expect(settlementFile.match(/^SETTLED;DEBIT;POS;/gm)).toHaveLength(count(1) + count(2) - count(3))
  await kill()
  expect(await settlementFileOf(await start('2026-11-22T09:00:00Z'))).toBe(settlementFile)
})
