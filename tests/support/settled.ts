import { setTimeout } from 'node:timers/promises'
import { DatabaseSync } from '@photostructure/sqlite'
import { runSql } from '@tollgate/storage/testing'
import { expect } from 'vitest'
import { type BookedTransaction, differenceOf, gatewayEntries, hostEntries } from './acquirer-books.ts'
import { type AcquirerViews, hostTransactions } from './acquirer-host.ts'
import { bodyOf, inParallel } from './http.ts'
import { APPROVED, externalPayment } from './external-load.ts'
import { manage } from './manage.ts'
import type { GatewayProcess } from './process.ts'

// The books of a gateway and those of its acquirer are equal once no request is open.

/** Reads the database of a gateway. */
export type Query = <Row extends object>(sql: string) => Promise<readonly Row[]>

export const sqliteQuery =
  (file: string): Query =>
  async <Row extends object>(sql: string) => {
    const database = new DatabaseSync(file, { readOnly: true })
    const rows: Row[] = database.prepare(sql).all()
    database.close()
    return rows
  }

export const postgresQuery =
  (url: string): Query =>
  (sql) =>
    runSql(url, sql)

/** A stored transaction, and the references of its message to the acquirer. */
interface StoredTransaction {
  readonly id: string
  readonly referencedId: string | null
  readonly type: string
  readonly status: string
  readonly code: string
  /** Minor units; a text on PostgreSQL. */
  readonly amount: number | string | null
  readonly sentAs: string | null
}

const transactionsSql = `SELECT t.id, t.referenced_id AS "referencedId", t.type, t.status, t.result_code AS code,
    t.amount_minor AS amount, a.sent_as AS "sentAs"
  FROM payment_transaction t
  LEFT JOIN acquirer_attempt a ON a.transaction_id = t.id AND a.kind = 'request'
  WHERE t.test_mode = 'EXTERNAL' ORDER BY t.id`

const reversalJobsSql = `SELECT job.id, job.attempts, job.parked_at_ms AS "parkedAtMs",
    t.type, t.status, t.result_code AS code
  FROM job LEFT JOIN payment_transaction t ON t.id = job.subject_id
  WHERE job.kind = 'end-attempt' AND job.done_at_ms IS NULL`

const reversalsSql = (from: string): string =>
  `SELECT count(*) AS reversals FROM acquirer_attempt WHERE kind = 'reversal' AND transaction_id >= '${from}'`

/** How far the clock is advanced at a time: the longest wait between two reversals. */
const ADVANCE = 'PT5M'
/** Advances of the clock until all reversals are complete: "none unknown after 15 minutes". */
const ADVANCES_MAX = 3
const PROBES_MAX = 400
const PROBE_PAUSE_MS = 50

/**
 * Waits until the acquirer is reached, and all timeout reversals have run; then expects that
 * - no transaction is SENT or has the result 900.100.300,
 * - the approved transactions of the gateway that no later one has reversed are those of the acquirer, with their
 *   amounts, captures and refunds, by terminal, trace number and reference (ConnectorTxID1),
 * - no captures exceed their authorisation.
 *
 * @returns the number of approved transactions, and of transactions without an answer whose reversal was sent
 * @param from only transactions with this id or a later one are compared: those of an acquirer that was started later
 */
export async function expectSettled(
  gateway: GatewayProcess,
  query: Query,
  host: AcquirerViews,
  from = '',
): Promise<{ readonly approved: number; readonly reversals: number }> {
  await untilConnected(gateway)
  await runReversals(gateway, query)
  const [attempts] = await query<{ reversals: number | string }>(reversalsSql(from))
  const stored = (await query<StoredTransaction>(transactionsSql)).filter(({ id }) => id >= from)
  const open = stored.filter(({ status, code }) => status === 'SENT' || status === 'PENDING' || code === '900.100.300')
  expect(open).toEqual([])

  const atHost = await hostTransactions(host)
  const hostBooks = hostEntries(atHost, ({ terminal, stan, rrn }) => `${terminal} ${stan} ${rrn}`)
  const gatewayBooks = gatewayEntries(bookedOf(stored, await referencesOf(gateway, stored)))
  expect(differenceOf(gatewayBooks, hostBooks)).toEqual({ onlyAtGateway: [], onlyAtHost: [] })
  const holds = atHost.filter(({ kind, state }) => kind === 'authorisation' && state !== 'declined')
  expect(holds.filter(({ capturedMinor, authorisedMinor }) => capturedMinor > authorisedMinor)).toEqual([])
  return { approved: gatewayBooks.length, reversals: Number(attempts?.reversals) }
}

/** Sends account verifications until the acquirer approves one. */
export async function untilConnected(gateway: GatewayProcess): Promise<void> {
  let code = ''
  for (let probes = 0; probes < PROBES_MAX; probes += 1) {
    code = bodyOf(await gateway.pay(externalPayment({ paymentType: 'PA', amount: '0.00' }))).result.code
    if (code === APPROVED) return
    await setTimeout(PROBE_PAUSE_MS)
  }
  throw new Error(`the acquirer was not reached: ${code}`)
}

/** Advances the clock until no reversal is left. */
export async function runReversals(gateway: GatewayProcess, query: Query): Promise<void> {
  let jobs = await query(reversalJobsSql)
  for (let advances = 0; jobs.length > 0 && advances < ADVANCES_MAX; advances += 1) {
    await manage(gateway, 'POST', '/clock', { advance: ADVANCE })
    jobs = await query(reversalJobsSql)
  }
  expect(jobs).toEqual([])
}

/** ConnectorTxID1 of each approved transaction, as the API shows it. */
async function referencesOf(
  gateway: GatewayProcess,
  stored: readonly StoredTransaction[],
): Promise<ReadonlyMap<string, string>> {
  const references = new Map<string, string>()
  const approved = stored.filter(({ status }) => status === 'ACK')
  await inParallel(approved, 16, async ({ id }) => {
    const { ConnectorTxID1 }: { ConnectorTxID1?: string } = Object(bodyOf(await gateway.get(id))['resultDetails'])
    references.set(id, ConnectorTxID1 ?? '')
  })
  return references
}

/** The transactions with the names of their messages: terminal, trace number and reference (ConnectorTxID1). */
const bookedOf = (
  stored: readonly StoredTransaction[],
  references: ReadonlyMap<string, string>,
): readonly BookedTransaction[] =>
  stored.map(({ id, amount, sentAs, ...transaction }) => {
    const { terminalId, stan }: { terminalId?: string; stan?: string } = JSON.parse(sentAs ?? '{}')
    return { ...transaction, id, amountMinor: Number(amount), message: `${terminalId} ${stan} ${references.get(id)}` }
  })
