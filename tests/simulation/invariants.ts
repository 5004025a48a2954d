import { HOUR_MS } from '@tollgate/contract'
import type { JobRow, TransactionRow, Unit } from '@tollgate/storage'
import type { SimulatedAcquirer } from './acquirer.ts'
import type { ShopRequest } from './shop-requests.ts'
import type { SimulatedDisk } from './disk.ts'
import type { Endpoint } from './endpoints.ts'
import { webhooks } from './merchants.ts'
import type { HostBooks } from './hosts/books.ts'
import { checkSettlement } from './hosts/settlement.ts'
import { checkLedger } from './ledger-rules.ts'
import { heldMinor, treeViolation } from './tree-rules.ts'
import { fail } from './violation.ts'

// The invariants of the product. They are checked on stored rows, and on the answers and events that shops and
// endpoints received.

/** The fields of an answer that a shop uses. */
export interface ShopAnswer {
  readonly status: number
  readonly code: string
  readonly text: string
  readonly id: string
  readonly type: string
  readonly amount: string | undefined
  readonly registrationId: string | undefined
}

/** Checks of a simulation. A violated invariant throws a `Violation` that names the invariant and the row. */
export interface Invariants {
  /** Called after a unit was written. */
  readonly onWritten: (unit: Unit) => void
  /** Called after a shop received an answer, except a version conflict or an unknown outcome. */
  readonly onAnswered: (request: ShopRequest, answer: ShopAnswer) => void
  /**
   * Called after a shop received the answer that a request was not processed. The request has no Idempotency-Key, so it
   * was sent only once.
   */
  readonly onRejected: (request: ShopRequest) => void
  /** Checks the trees that the last step changed. */
  readonly checkChanged: () => void
  /** Checks everything that must hold at any time. */
  readonly checkAll: () => void
  /**
   * The jobs that are due and neither done nor dead-lettered, except deliveries to endpoints that are unresponsive or
   * may have an open circuit breaker.
   */
  readonly overdue: (endpoints: Iterable<Endpoint>, nowMs: number) => readonly string[]
  /** The deliveries that are neither done nor dead-lettered, except those to unresponsive endpoints. */
  readonly undelivered: (endpoints: Iterable<Endpoint>) => readonly string[]
  /** The transactions that began before `beforeMs` and whose outcome is still unknown. */
  readonly unknownOutcomes: (beforeMs: number) => readonly string[]
  /** Checks everything after all work is done. */
  readonly checkAtEnd: (endpoints: Iterable<Endpoint>, nowMs: number) => void
}

/** The maximum interval between retries of a delivery: a day and the jitter. */
const RETRY_INTERVAL_MAX_MS = 27 * HOUR_MS

/** The number of retries of a failed delivery during which later events of its payment wait. */
const ORDER_RETRIES_MAX = 3

/** The transactions that a unit adds or updates. */
const changedIn = ({ rows, compareAndSets = [] }: Unit): readonly TransactionRow[] => [
  ...(rows.payment_transaction ?? []),
  ...compareAndSets.flatMap((compareAndSet) =>
    compareAndSet.table === 'payment_transaction' ? [compareAndSet.to] : [],
  ),
]

/** Types of transactions that are sent to an acquirer. */
const isSent = (type: string) => ['PA', 'DB', 'CD', 'CP', 'RV', 'RF', 'RB'].includes(type)

/** Types of transactions that are published as events (contract, Events). */
const isPublished = (type: string) => !['SD', 'RS', 'DS', 'RE', 'RI', 'AV'].includes(type)

export function createInvariants(
  disk: SimulatedDisk,
  acquirer: SimulatedAcquirer | undefined,
  hostBooks: HostBooks | undefined,
): Invariants {
  const { rows } = disk
  /** The ids of the trees that the last step changed. */
  const dirty = new Set<string>()
  /** The ids of transactions by merchantTransactionId. */
  const idsByName = new Map<string, string[]>()
  /** The names of refused requests by the id in the answer. */
  const declines = new Map<string, string>()
  /** The answers with status 200 by the id of their transaction. */
  const approvals = new Map<string, { readonly name: string; readonly answer: ShopAnswer }>()
  /** The first answer to each request with an Idempotency-Key, by the name of the request. */
  const answers = new Map<string, string>()
  /** The names of requests that were answered as not processed. */
  const notProcessed = new Set<string>()

  const find = (id: string) =>
    rows.transactionsOf.get(rows.rootOfChild.get(id) ?? id)?.find((row) => row.id === id) ??
    rows.transactionsOf.get(id)?.find((row) => row.id === id)

  /** No acknowledged payment is lost: it is stored as it was answered. */
  function checkStored(id: string, name: string, answer: ShopAnswer): void {
    const row = find(id) ?? fail(`${name} was answered with ${id}, which is not stored`)
    const amount = row.amount_minor === null ? undefined : (row.amount_minor / 100).toFixed(2)
    const isSame = row.result_code === answer.code && row.type === answer.type && amount === answer.amount
    if (!isSame || row.status !== 'ACK')
      fail(
        `${name} was answered with ${answer.type} ${answer.amount} ${answer.code},` +
          ` but is stored as ${row.type} ${amount} ${row.result_code}`,
      )
  }

  const rowsNamed = (name: string) => (idsByName.get(name) ?? []).flatMap((id) => find(id) ?? [])

  /**
   * No payment is duplicated: a request is stored at most once, even if it was sent repeatedly, and each charge of a
   * plan is approved at most once.
   */
  function checkStoredOnce({ id, type, merchant_transaction_id: name }: TransactionRow): void {
    // A registration by a payment has the merchantTransactionId of the payment.
    if (name === null || type === 'RG') return
    idsByName.set(name, [...new Set([...(idsByName.get(name) ?? []), id])])
    const named = rowsNamed(name)
    const counted = name.startsWith('request-') ? named : named.filter(({ status }) => status === 'ACK')
    if (counted.length > 1) fail(`${name} is stored ${counted.length} times`)
    if (notProcessed.has(name)) fail(`${name} is stored, but was answered as not processed`)
  }

  /** Events and their deliveries are in the same unit as the transactions that they report. */
  function checkEvents(unit: Unit): void {
    const { event = [], job = [] } = unit.rows
    const decided = changedIn(unit).filter((row) => row.status !== 'SENT' && isPublished(row.type))
    const events = new Set(event.map(({ id }) => id))
    for (const { id, url, channels } of webhooks) {
      if (rows.webhook.get(id)?.state !== 'active') continue
      const due = decided.filter((row) => channels.includes(row.channel))
      const queued = job.filter(
        ({ kind, lane, subject_id }) => kind === 'delivery' && lane === id && events.has(subject_id),
      )
      if (queued.length < due.length) fail(`${url} gets ${queued.length} events of ${due.length} transactions`)
    }
  }

  /** The ids of the deliveries of each delivery order, in the order in which they were written. */
  const deliveryOrders = new Map<string, string[]>()
  const orderOf = ({ lane, line }: JobRow) => deliveryOrders.get(`${lane}|${line}`) ?? []

  /**
   * The positions in a delivery order follow the order of the commits that increment the payment's version, independent
   * of the clocks.
   */
  function checkPositions({ expectedVersions, rows: { job: jobs = [] } }: Unit): void {
    for (const job of jobs) {
      if (job.kind !== 'delivery' || job.line === null || orderOf(job).includes(job.id)) continue
      const earlierPositions = orderOf(job).map((id) => rows.job.get(id)?.line_place ?? 0)
      const isVersioned = expectedVersions.some(({ id }) => id === job.line)
      if (isVersioned && Math.max(-1, ...earlierPositions) > (job.line_place ?? 0))
        fail(`delivery ${job.id} has a position before a delivery that was written earlier`)
      deliveryOrders.set(`${job.lane}|${job.line}`, [...orderOf(job), job.id])
    }
  }

  /**
   * A webhook gets an event only after each earlier event of the payment was delivered or dead-lettered, or has had
   * more than `ORDER_RETRIES_MAX` failed attempts.
   */
  function checkOrder({ rows: { delivery_attempt: attempts = [] } }: Unit): void {
    for (const { delivery_id: id } of attempts) {
      const job = rows.job.get(id)
      if (!job || job.line === null) continue
      const line = orderOf(job)
      for (const earlier of line.slice(0, line.indexOf(id)).map((earlierId) => rows.job.get(earlierId))) {
        if (!earlier || earlier.done_at_ms !== null || earlier.parked_at_ms !== null) continue
        const isBefore = (earlier.line_place ?? 0) < (job.line_place ?? 0)
        if (isBefore && earlier.attempts <= ORDER_RETRIES_MAX)
          fail(`event ${job.subject_id} overtook ${earlier.subject_id} of its payment`)
      }
    }
  }

  /** The acquirer's books equal the stored transactions, except those whose outcome is still unknown. */
  function checkBooks({ books }: SimulatedAcquirer): void {
    for (const row of [...rows.transactionsOf.values()].flat()) {
      const entry = books.get(row.id)
      if (row.status === 'SENT' || !isSent(row.type)) continue
      if (row.status === 'NOK' && entry) fail(`${row.type} ${row.id} is declined, and in the acquirer's books`)
      if (row.status === 'ACK' && entry?.amountMinor !== row.amount_minor)
        fail(`${row.type} ${row.id} is approved with ${row.amount_minor}, and the acquirer has ${entry?.amountMinor}`)
    }
    for (const [id, { operation }] of books)
      if (!find(id)) fail(`the acquirer has a ${operation} ${id} that is not stored`)
  }

  function checkAll(): void {
    for (const [id, { name, answer }] of approvals) checkStored(id, name, answer)
    for (const [id, name] of declines)
      if ((find(id)?.status ?? 'NOK') !== 'NOK')
        fail(`${name} was answered with a decline, but ${id} is stored as not declined`)
    for (const [id, transactions] of rows.transactionsOf) {
      const violation = treeViolation(transactions)
      if (violation !== undefined) fail(`${id}: ${violation}`)
      const version = rows.tree.get(id)?.version ?? 1
      if (version < transactions.length) fail(`${id} has ${transactions.length} transactions and version ${version}`)
    }
    checkLedger(rows)
    checkSettlement(rows)
    hostBooks?.check()
  }

  const deliveries = (webhookId: string) =>
    [...rows.job.values()].filter((job) => job.kind === 'delivery' && job.lane === webhookId)

  return {
    onWritten(unit) {
      for (const { id } of unit.expectedVersions) dirty.add(id)
      for (const row of changedIn(unit)) {
        dirty.add(row.root_id)
        checkStoredOnce(row)
      }
      checkEvents(unit)
      checkPositions(unit)
      checkOrder(unit)
      hostBooks?.onWritten(unit)
    },
    onAnswered(request, answer) {
      const { name, sent } = request
      const isPayment = sent.operation !== 'createSchedule' && answer.amount !== undefined
      if (sent.idempotencyKey !== undefined) {
        const firstAnswer = answers.get(name) ?? answer.text
        if (firstAnswer !== answer.text) fail(`${name} has two answers: ${firstAnswer} and ${answer.text}`)
        answers.set(name, answer.text)
      }
      if (answer.code.startsWith('200.')) fail(`${name} is refused as invalid: ${answer.text}`)
      if (answer.status === 200 && isPayment) {
        checkStored(answer.id, name, answer)
        approvals.set(answer.id, { name, answer })
      }
      const isRefused = answer.status !== 200 && sent.operation !== 'getPayment'
      if (isRefused) declines.set(answer.id, name)
      if (isRefused && rowsNamed(name).some(({ status }) => status === 'ACK'))
        fail(`${name} was answered with ${answer.code}, but is stored as approved`)
      if (sent.operation === 'getPayment' && answer.status !== 200) fail(`${sent.id} cannot be read: ${answer.code}`)
    },
    onRejected({ name }) {
      notProcessed.add(name)
      if (idsByName.has(name)) fail(`${name} is stored, but was answered as not processed`)
    },
    checkChanged() {
      for (const root of dirty) {
        const violation = treeViolation(rows.transactionsOf.get(root) ?? [])
        if (rows.transactionsOf.has(root) && violation !== undefined) fail(`${root}: ${violation}`)
      }
      dirty.clear()
    },
    checkAll,
    overdue(endpoints, nowMs) {
      const unreachable = new Set(
        [...endpoints]
          .filter(({ state, isCircuitClosed }) => state === 'unresponsive' || !isCircuitClosed)
          .map(({ webhookId }) => webhookId),
      )
      return [...rows.job.values()]
        .filter((job) => job.done_at_ms === null && job.parked_at_ms === null && job.due_at_ms <= nowMs)
        .filter((job) => !unreachable.has(job.lane))
        .map((job) => `${job.kind} ${job.subject_id}`)
    },
    undelivered: (endpoints) =>
      [...endpoints]
        .filter(({ state }) => state !== 'unresponsive')
        .flatMap(({ webhookId }) => deliveries(webhookId))
        .filter(({ done_at_ms, parked_at_ms }) => done_at_ms === null && parked_at_ms === null)
        .map(({ subject_id, lane }) => `event ${subject_id} to ${lane}`),
    unknownOutcomes: (beforeMs) =>
      [...rows.transactionsOf.values()]
        .flat()
        .filter(({ status, created_at_ms: atMs }) => status === 'SENT' && atMs < beforeMs)
        .map(({ id, type }) => `${type} ${id}`),
    checkAtEnd(endpoints, nowMs) {
      checkAll()
      if (rows.posting.size === 0 && approvals.size > 0) fail('no approved transaction was posted')
      if (acquirer) checkBooks(acquirer)
      hostBooks?.checkAtEnd()
      for (const { webhookId, accepted } of endpoints) {
        for (const { id, subject_id, done_at_ms, parked_at_ms, due_at_ms } of deliveries(webhookId)) {
          if (done_at_ms !== null && !accepted.has(subject_id))
            fail(`event ${subject_id} counts as delivered to ${webhookId}, which never accepted it`)
          const isOver = done_at_ms !== null || parked_at_ms !== null
          if (!isOver && due_at_ms > nowMs + RETRY_INTERVAL_MAX_MS)
            fail(`delivery ${id} to an unresponsive endpoint is not retried in time`)
        }
      }
      for (const [id, transactions] of rows.transactionsOf) {
        const facts: readonly { readonly expiresAtMs?: number; readonly final?: boolean }[] = transactions.map((row) =>
          JSON.parse(row.facts),
        )
        const endsAtMs = Math.max(0, ...facts.map(({ expiresAtMs = 0 }) => expiresAtMs))
        const isClosed = facts.some(({ final }) => final === true)
        const held = heldMinor(transactions)
        if (endsAtMs > 0 && endsAtMs < nowMs - 60_000 && !isClosed && held > 0)
          fail(`${id} holds ${held} after its expiry`)
      }
    },
  }
}
