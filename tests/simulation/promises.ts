import { HOUR_MS } from '@tollgate/contract'
import type { JobRow, TransactionRow, Unit } from '@tollgate/storage'
import type { SimulatedAcquirer } from './acquirer.ts'
import type { Wish } from './customers.ts'
import type { SimulatedDisk } from './disk.ts'
import type { Endpoint } from './endpoints.ts'
import { webhooks } from './merchants.ts'
import { heldMinor, wrongInTree } from './tree-rules.ts'

// The promises of the design, checked against the stored rows and the answers that shops and endpoints received.

/** An answer to a shop: the fields that it uses. */
export interface ShopAnswer {
  readonly status: number
  readonly code: string
  readonly text: string
  readonly id: string
  readonly type: string
  readonly amount: string | undefined
  readonly registrationId: string | undefined
}

/** Checks a run against the promises. A check throws a `Broken` that names the promise and the row that breaks it. */
export interface Promises {
  /** After a unit was written. */
  readonly written: (unit: Unit) => void
  /** After a shop received an answer. */
  readonly answered: (wish: Wish, answer: ShopAnswer) => void
  /** After a shop received the answer that a request, which it sent once, was not processed. */
  readonly rejected: (wish: Wish) => void
  /** Checks the trees that the last step changed. */
  readonly changed: () => void
  /** Checks everything that must hold at any time. */
  readonly whole: () => void
  /** Jobs that are due and not done, without those of endpoints that are dead or whose circuit breaker is open. */
  readonly overdue: (endpoints: Iterable<Endpoint>, nowMs: number) => readonly string[]
  /** "No payment stays unknown": payments begun before this time whose outcome is still unknown. */
  readonly unknown: (beforeMs: number) => readonly string[]
  /** Checks everything once no work is left. */
  readonly atRest: (endpoints: Iterable<Endpoint>, nowMs: number) => void
}

export class Broken extends Error {}

/** Retries come at least once a day, plus their jitter. */
const RETRIES_MS = 27 * HOUR_MS

/** For so many retries of a delivery the later events of its payment wait. */
const ORDER_RETRIES = 3

const broken = (what: string): never => {
  throw new Broken(what)
}

/** The transactions that a unit adds or decides. */
const changedIn = ({ rows, compareAndSets = [] }: Unit): readonly TransactionRow[] => [
  ...(rows.payment_transaction ?? []),
  ...compareAndSets.flatMap((compareAndSet) =>
    compareAndSet.table === 'payment_transaction' ? [compareAndSet.to] : [],
  ),
]

/** Types of transactions that are sent to an acquirer. */
const isSent = (type: string) => ['PA', 'DB', 'CD', 'CP', 'RV', 'RF', 'RB'].includes(type)

/** Types of transactions of which there are events (contract, Events). */
const isPublished = (type: string) => !['SD', 'RS', 'DS', 'RE', 'RI', 'AV'].includes(type)

export function createPromises(disk: SimulatedDisk, acquirer: SimulatedAcquirer | undefined): Promises {
  const { rows } = disk
  const dirty = new Set<string>()
  const byName = new Map<string, string[]>()
  const declines = new Map<string, string>()
  const approvals = new Map<string, { readonly wish: string; readonly answer: ShopAnswer }>()
  const answers = new Map<string, string>()
  const never = new Set<string>()

  const find = (id: string) =>
    rows.transactionsOf.get(rows.rootOfChild.get(id) ?? id)?.find((row) => row.id === id) ??
    rows.transactionsOf.get(id)?.find((row) => row.id === id)

  /** "No acknowledged payment is lost": it is stored as it was answered. */
  function stored(id: string, wish: string, answer: ShopAnswer): void {
    const row = find(id) ?? broken(`${wish} was answered with ${id}, which is not stored`)
    const amount = row.amount_minor === null ? undefined : (row.amount_minor / 100).toFixed(2)
    const isSame = row.result_code === answer.code && row.type === answer.type && amount === answer.amount
    if (!isSame || row.status !== 'ACK')
      broken(
        `${wish}: answered ${answer.type} ${answer.amount} ${answer.code},` +
          ` stored ${row.type} ${amount} ${row.result_code}`,
      )
  }

  const rowsNamed = (name: string) => (byName.get(name) ?? []).flatMap((id) => find(id) ?? [])

  /** "… or doubled": a request is stored once, however often it was sent, and so is each attempt at a run of a plan. */
  function once({ id, type, merchant_transaction_id: name }: TransactionRow): void {
    // A registration that a payment makes bears the name of the payment.
    if (name === null || type === 'RG') return
    byName.set(name, [...new Set([...(byName.get(name) ?? []), id])])
    const same = rowsNamed(name)
    const counted = name.startsWith('wish-') ? same : same.filter(({ status }) => status === 'ACK')
    if (counted.length > 1) broken(`${name} is stored ${counted.length} times`)
    if (never.has(name)) broken(`${name}: answered that it was not processed, stored`)
  }

  /** Events and their deliveries are in the same unit as the transactions that they report. */
  function announced(unit: Unit): void {
    const { event = [], job = [] } = unit.rows
    const decided = changedIn(unit).filter((row) => row.status !== 'SENT' && isPublished(row.type))
    const events = new Set(event.map(({ id }) => id))
    for (const { id, url, of } of webhooks) {
      if (rows.webhook.get(id)?.state !== 'active') continue
      const due = decided.filter((row) => of.includes(row.channel))
      const queued = job.filter(
        ({ kind, lane, subject_id }) => kind === 'delivery' && lane === id && events.has(subject_id),
      )
      if (queued.length < due.length) broken(`${url} gets ${queued.length} events of ${due.length} transactions`)
    }
  }

  /** The deliveries of each line, in the order in which they were written. */
  const lines = new Map<string, string[]>()
  const lineOf = ({ lane, line }: JobRow) => lines.get(`${lane}|${line}`) ?? []

  /** The positions in a sequence follow the order of the commits, independent of the clocks. */
  function placed({ expectedVersions, rows: { job: jobs = [] } }: Unit): void {
    for (const job of jobs) {
      if (job.kind !== 'delivery' || job.line === null || lineOf(job).includes(job.id)) continue
      const before = lineOf(job).map((id) => rows.job.get(id)?.line_place ?? 0)
      const isGuarded = expectedVersions.some(({ id }) => id === job.line)
      if (isGuarded && Math.max(-1, ...before) > (job.line_place ?? 0))
        broken(`delivery ${job.id} has a position before one that was written earlier`)
      lines.set(`${job.lane}|${job.line}`, [...lineOf(job), job.id])
    }
  }

  /** A webhook gets an event only after all earlier ones were delivered, dead-lettered, or failed several times. */
  function inOrder({ rows: { delivery_attempt: attempts = [] } }: Unit): void {
    for (const { delivery_id: id } of attempts) {
      const job = rows.job.get(id)
      if (!job || job.line === null) continue
      const line = lineOf(job)
      for (const earlier of line.slice(0, line.indexOf(id)).map((each) => rows.job.get(each))) {
        if (!earlier || earlier.done_at_ms !== null || earlier.parked_at_ms !== null) continue
        const isBefore = (earlier.line_place ?? 0) < (job.line_place ?? 0)
        if (isBefore && earlier.attempts <= ORDER_RETRIES)
          broken(`event ${job.subject_id} overtook ${earlier.subject_id} of its payment`)
      }
    }
  }

  /** The acquirer's books equal the stored transactions, without those whose outcome is unknown yet. */
  function agreeing({ books }: SimulatedAcquirer): void {
    for (const row of [...rows.transactionsOf.values()].flat()) {
      const entry = books.get(row.id)
      if (row.status === 'SENT' || !isSent(row.type)) continue
      if (row.status === 'NOK' && entry) broken(`${row.type} ${row.id} is declined, and in the acquirer's books`)
      if (row.status === 'ACK' && entry?.amountMinor !== row.amount_minor)
        broken(`${row.type} ${row.id} is approved with ${row.amount_minor}, and the acquirer has ${entry?.amountMinor}`)
    }
    for (const [id, { operation }] of books)
      if (!find(id)) broken(`the acquirer has a ${operation} ${id} that is not stored`)
  }

  function whole(): void {
    for (const [id, { wish, answer }] of approvals) stored(id, wish, answer)
    for (const [id, wish] of declines)
      if ((find(id)?.status ?? 'NOK') !== 'NOK')
        broken(`${wish}: answered that ${id} is declined, stored as not declined`)
    for (const [id, transactions] of rows.transactionsOf) {
      const wrong = wrongInTree(transactions)
      if (wrong !== undefined) broken(`${id}: ${wrong}`)
      if (!rows.tree.has(id)) broken(`${id} has transactions and no tree`)
    }
  }

  const deliveries = (webhookId: string) =>
    [...rows.job.values()].filter((job) => job.kind === 'delivery' && job.lane === webhookId)

  return {
    written(unit) {
      for (const { id } of unit.expectedVersions) dirty.add(id)
      for (const row of changedIn(unit)) {
        dirty.add(row.root_id)
        once(row)
      }
      announced(unit)
      placed(unit)
      inOrder(unit)
    },
    answered(wish, answer) {
      const { name, sent } = wish
      const isPayment = sent.operation !== 'createSchedule' && answer.amount !== undefined
      if (sent.idempotencyKey !== undefined) {
        const first = answers.get(name) ?? answer.text
        if (first !== answer.text) broken(`${name} has two answers: ${first} and ${answer.text}`)
        answers.set(name, answer.text)
      }
      if (answer.code.startsWith('200.')) broken(`${name} is not understood: ${answer.text}`)
      if (answer.status === 200 && isPayment) {
        stored(answer.id, name, answer)
        approvals.set(answer.id, { wish: name, answer })
      }
      const isRefused = answer.status !== 200 && sent.operation !== 'getPayment'
      if (isRefused) declines.set(answer.id, name)
      if (isRefused && rowsNamed(name).some(({ status }) => status === 'ACK'))
        broken(`${name}: answered ${answer.code}, stored as approved`)
      if (sent.operation === 'getPayment' && answer.status !== 200) broken(`${sent.id} cannot be read: ${answer.code}`)
    },
    rejected({ name }) {
      never.add(name)
      if (byName.has(name)) broken(`${name}: answered that it was not processed, stored`)
    },
    changed() {
      for (const root of dirty) {
        const wrong = wrongInTree(rows.transactionsOf.get(root) ?? [])
        if (rows.transactionsOf.has(root) && wrong !== undefined) broken(`${root}: ${wrong}`)
      }
      dirty.clear()
    },
    whole,
    overdue(endpoints, nowMs) {
      const unreachable = new Set(
        [...endpoints].filter(({ mood, isSteady }) => mood === 'dead' || !isSteady).map(({ webhookId }) => webhookId),
      )
      return [...rows.job.values()]
        .filter((job) => job.done_at_ms === null && job.parked_at_ms === null && job.due_at_ms <= nowMs)
        .filter((job) => !unreachable.has(job.lane))
        .map((job) => `${job.kind} ${job.subject_id}`)
    },
    unknown: (beforeMs) =>
      [...rows.transactionsOf.values()]
        .flat()
        .filter(({ status, created_at_ms: atMs }) => status === 'SENT' && atMs < beforeMs)
        .map(({ id, type }) => `${type} ${id}`),
    atRest(endpoints, nowMs) {
      whole()
      if (acquirer) agreeing(acquirer)
      for (const { webhookId, mood, accepted } of endpoints) {
        for (const { id, subject_id, done_at_ms, parked_at_ms, due_at_ms } of deliveries(webhookId)) {
          if (done_at_ms !== null && !accepted.has(subject_id))
            broken(`event ${subject_id} counts as delivered to ${webhookId}, which never received it`)
          const isOver = done_at_ms !== null || parked_at_ms !== null
          if (!isOver && mood !== 'dead') broken(`event ${subject_id} was neither delivered to ${webhookId} nor parked`)
          if (!isOver && due_at_ms > nowMs + RETRIES_MS) broken(`delivery ${id} to a dead endpoint is forgotten`)
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
          broken(`${id} holds ${held} after its end`)
      }
    },
  }
}
