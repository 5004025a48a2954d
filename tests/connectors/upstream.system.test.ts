import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { RemoteConnector } from '@tollgate/connectors'
import { type Books, describeConformance, type Running, startHttpFaults } from '@tollgate/connectors/testing'
import { sandboxIds, sandboxToken } from '@tollgate/gateway'
import { createUpstream } from '@tollgate/gateway/testing'
import { databaseName } from '../support/durability.ts'
import { manage } from '../support/manage.ts'
import { cleanUp, startGateway, temporaryFolder } from '../support/process.ts'
import { type Query, sqliteQuery } from '../support/settled.ts'

// The connector to another gateway of the same contract, on HTTP, and a gateway in a process of its own. Payments with
// pages are in tests/e2e: a pending payment cannot be withdrawn from the other gateway.

/**
 * A second of the suite is fifty of the connector, so that the absence of a request is final after 1.8 s: later than a
 * late request arrives, and before the suite stops to reverse it.
 */
const SPEED = 50

interface BookedTransaction {
  readonly type: string
  readonly amount: number
  /** Type of the transaction that it refers to. */
  readonly of: string | null
}

/** The sums of all transactions that the upstream has approved. */
async function booksOf(query: Query): Promise<Books> {
  const rows = await query<BookedTransaction>(
    `SELECT t.type, t.amount_minor AS amount, o.type AS "of" FROM payment_transaction t
      LEFT JOIN payment_transaction o ON o.id = t.referenced_id WHERE t.status = 'ACK'`,
  )
  let [heldMinor, takenMinor] = [0, 0]
  for (const { type, amount, of } of rows) {
    if (type === 'PA') heldMinor += amount
    if (type === 'DB' || type === 'CP') takenMinor += amount
    if (type === 'CP' || (type === 'RV' && of === 'PA')) heldMinor -= amount
    if (type === 'RF' || (type === 'RV' && of !== 'PA')) takenMinor -= amount
  }
  return { heldMinor, takenMinor }
}

async function start(): Promise<Running> {
  const data = temporaryFolder()
  const upstream = await startGateway({ data })
  await manage(upstream, 'PATCH', `/entities/${sandboxIds.channel}`, {
    settings: { partialApproval: true, threeDSecure: 'off' },
  })
  const other = { id: '0'.repeat(32), merchantTransactionId: 'another-request' }
  const faults = await startHttpFaults(upstream.url, {
    otherAnswer: (answer) => ({ ...answer, ...other }),
    wrongAmount: (answer) => ({ ...answer, amount: '92.01' }),
    wrongCurrency: (answer) => ({ ...answer, currency: 'USD' }),
  })
  const startedAtMs = Date.now()
  const target = { baseUrl: faults.url, environment: 'test', name: 'conformance' } as const
  const access = { entityId: sandboxIds.channel, accessToken: () => sandboxToken, verificationCurrency: 'EUR' }
  const full = createUpstream(
    { ...target, ...access },
    {
      ids: { random: () => randomBytes(16).toString('hex') },
      clock: { now: () => startedAtMs + SPEED * (Date.now() - startedAtMs) },
      log: { error: () => undefined },
    },
  )
  // Without inquiries: card payments of the suite are final at once.
  const connector: RemoteConnector = {
    kind: 'remote',
    name: full.name,
    references: async (request) => full.references?.(request),
    send: (request, sentAs) => full.send(request, sentAs),
    reverse: (request, attempt) => full.reverse(request, attempt),
    close: async () => full.close?.(),
  }
  return {
    connector,
    setFault: faults.set,
    books: () => booksOf(sqliteQuery(join(data, databaseName))),
    async close() {
      await faults.close()
      await cleanUp()
    },
  }
}

/** The simulator of the upstream answers 888NN.MM with the response NN. */
const amount =
  (amountMinor: number, partialApproval = false) =>
  () => ({ amountMinor, partialApproval })

describeConformance({
  name: 'to another gateway of the same contract',
  begins: ['PA', 'DB', 'CD'],
  follows: ['PA', 'CP', 'RV', 'RF'],
  methods: ['references', 'close'],
  approved: () => ({}),
  declined: { changes: amount(8_885_100), code: '800.100.155' },
  partial: { changes: amount(8_881_000), approvedMinor: 4_440_500 },
  withoutFaults: { answerTwice: 'HTTP allows one answer to a request' },
  start,
})
