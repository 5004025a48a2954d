import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, runSql } from '@tollgate/storage/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readDocument } from './examples.ts'
import { program } from './running-gateway.ts'
import { openShell, type Shell } from './shell.ts'

// Runs the guide to a live installation, block by block, on PostgreSQL and with processes of the built program. Only
// ports and the name of the database differ from the page.

/** Ports on the page. Each is replaced by a free one. */
const SHOWN_PORTS = ['8441', '9441', '8442', '9442', '8443', '8083', '8583', '8584']
const NAME = 'tollgate_live'

const server = new URL(process.env['TOLLGATE_TEST_DATABASE_URL'] ?? '')
const name = `${NAME}_${randomBytes(6).toString('hex')}`
const folder = mkdtempSync(join(tmpdir(), 'tollgate-go-live-'))
let replacements: ReadonlyMap<string, string>
let shell: Shell

/** A part of the page: commands, or the output of the commands before it. */
interface Block {
  readonly kind: string
  readonly text: string
}

const blocks: readonly Block[] = Array.from(
  readDocument('docs/guides/go-live.md').matchAll(/^```(\w*)\n([^]*?)\n```$/gm),
  ([, kind = '', text = '']) => ({ kind, text }),
)

const adapted = (text: string) =>
  [...replacements].reduce(
    (changed, [shown, used]) => changed.replaceAll(new RegExp(`\\b${shown}\\b`, 'g'), used),
    text,
  )

/** A program of the search path that runs a script of this repository. */
function writeProgram(bin: string, command: string, script: string): void {
  const file = join(bin, command)
  writeFileSync(file, `#!/bin/sh\nexec '${process.execPath}' '${script}' "$@"\n`)
  chmodSync(file, 0o755)
}

const hasHaproxy = (): boolean => {
  try {
    execFileSync('haproxy', ['-v'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

beforeAll(async () => {
  const ownPorts = await Promise.all(SHOWN_PORTS.map(async (shown) => [shown, await freePort()] as const))
  replacements = new Map([...ownPorts, ['5432', server.port], [NAME, name]])
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  writeProgram(bin, 'tollgate', program)
  if (!hasHaproxy()) writeProgram(bin, 'haproxy', join(import.meta.dirname, 'haproxy.js'))
  shell = openShell(folder, {
    PATH: `${bin}:${process.env['PATH']}`,
    HOME: folder,
    PGHOST: server.hostname,
    PGPORT: server.port,
    PGUSER: decodeURIComponent(server.username),
    PGPASSWORD: decodeURIComponent(server.password),
  })
})

afterAll(async () => {
  await shell.kill()
  await runSql(server.href, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
  await runSql(server.href, `DROP ROLE IF EXISTS ${name}`)
  rmSync(folder, { recursive: true, force: true })
})

/** Runs SQL in the database of the guide. */
function query<Row extends object>(sql: string): Promise<Row[]> {
  const url = new URL(server)
  url.pathname = `/${name}`
  return runSql<Row>(url.href, sql)
}

/** Makes the timeout reversals due, which otherwise are so a minute after their payment. */
async function makeReversalsDue(): Promise<void> {
  await query(`UPDATE job SET due_at_ms = 1 WHERE kind = 'end-attempt' AND done_at_ms IS NULL`)
}

/** A debit that was approved and not reversed, as `terminal trace number amount`. */
async function storedDebits(): Promise<readonly string[]> {
  const rows = await query<{ amount: string; sentAs: string }>(
    `SELECT t.amount_minor AS amount, a.sent_as AS "sentAs" FROM payment_transaction t
      JOIN acquirer_attempt a ON a.transaction_id = t.id AND a.kind = 'request'
      WHERE t.type = 'DB' AND t.status = 'ACK'`,
  )
  return rows.map(({ amount, sentAs }) => {
    const { terminalId, stan }: { terminalId: string; stan: string } = JSON.parse(sentAs)
    return `${terminalId} ${stan} ${amount}`
  })
}

interface HostSale {
  readonly terminal: string
  readonly stan: string
  readonly kind: string
  readonly state: string
  readonly authorisedMinor: number
}

async function hostSales(): Promise<readonly HostSale[]> {
  const view = await fetch(`http://127.0.0.1:${replacements.get('8083')}/acquirer/transactions?limit=100`)
  const { transactions }: { transactions: readonly HostSale[] } = JSON.parse(await view.text())
  return transactions.filter(({ kind }) => kind === 'sale')
}

/** Expects that the host has charged exactly what the gateways have approved. @returns the number of charges */
async function expectEqualBooks(): Promise<number> {
  const charged = (await hostSales()).filter(({ state }) => state !== 'reversed' && state !== 'declined')
  const atHost = charged.map(({ terminal, stan, authorisedMinor }) => `${terminal} ${stan} ${authorisedMinor}`)
  expect(atHost.toSorted()).toEqual((await storedDebits()).toSorted())
  return charged.length
}

/** Figures and ids that differ from run to run. */
const withoutFigures = (text: string) => text.replaceAll(/\b(?:[kf][ep]k-\w+|\d+(?= (?:ms|days)\b))/g, '#')

/** Runs one block, and compares its output with the block after it, if that is an output. */
async function runBlock({ text }: Block, next: Block | undefined): Promise<string> {
  const output = await shell.run(adapted(text))
  if (next?.kind === 'json') expect(JSON.parse(output)).toMatchObject(JSON.parse(next.text))
  if (next?.kind === 'text') expect(withoutFigures(output.trim())).toBe(withoutFigures(adapted(next.text)))
  return output
}

test('the guide leads to a live installation whose payments go on without a link and without a gateway', async () => {
  const outputs = new Map<string, string>()
  let charges = 0
  for (const [index, block] of blocks.entries()) {
    if (block.kind !== 'sh') continue
    // The page says that the reversals take a minute, which the test does not wait for.
    if (block.text.startsWith('wait $PAYMENTS')) await makeReversalsDue()
    if (block.text.startsWith('kill "$A" "$B"')) charges = await expectEqualBooks()
    const startedMs = performance.now()
    outputs.set(block.text, await runBlock(block, blocks[index + 1]))
    if (process.env['TOLLGATE_TEST_TIMES'] === '1')
      console.log(`${Math.round(performance.now() - startedMs)} ms: ${block.text.split('\n', 1)[0]}`)
  }
  const outputOf = (beginning: string) => [...outputs].find(([text]) => text.startsWith(beginning))?.[1] ?? ''

  const states = outputOf('wait $PAYMENTS').trim().split('\n')
  expect(states).toHaveLength(4)
  expect(states).toContain('900.100.301')
  // The first payment, six without the second link, six without the first gateway, and one with renewed credentials.
  expect(charges).toBe(14 + states.filter((code) => code === '000.000.000').length)
  expect(outputOf('curl -s --cacert gateway.crt https://localhost:9442/metrics')).toMatch(
    /^tollgate_acquirer_links\{acquirer="acme",state="ready"\} 2$/m,
  )
  const secret = /^TOLLGATE_MANAGE_KEY=(\S+)$/m.exec(readFileSync(join(folder, 'live/tollgate.env'), 'utf8'))?.[1] ?? ''
  for (const log of ['gateway-a.log', 'gateway-b.log', 'host.log']) {
    const text = readFileSync(join(folder, 'live', log), 'utf8')
    expect(text).not.toContain('4200000000000000')
    expect(text).not.toContain(secret)
  }
})
