import { HOUR_MS } from '@tollgate/contract'
import type { JobRow, TransactionRow, Unit } from '@tollgate/storage'
import type { SimulatedAcquirer } from './acquirer.ts'
import type { Wish } from './customers.ts'
import type { SimulatedDisk } from './disk.ts'
import type { Endpoint } from './endpoints.ts'
import { webhooks } from './merchants.ts'
import { heldMinor, wrongInTree } from './tree-rules.ts'

// The promises of the design, held against what is on the disk and what shops and endpoints were told.

/** What a shop was answered: the fields that it goes by. */
export interface Told {
  readonly status: number
  readonly code: string
  readonly text: string
  readonly id: string
  readonly type: string
  readonly amount: string | undefined
  readonly registrationId: string | undefined
}

/** Holds a run against the promises. Each of these throws a `Broken` that says which is broken, and by what. */
export interface Promises {
  /** A unit is on the disk. */
  readonly written: (unit: Unit) => void
  /** A shop has an answer. */
  readonly told: (wish: Wish, answer: Told) => void
  /** A shop was told that a request of it, which it sent once, was not processed. */
  readonly rejected: (wish: Wish) => void
  /** After every step: what has changed in it. */
  readonly changed: () => void
  /** Everything that must hold at any time. */
  readonly whole: () => void
  /** What is due and not done yet, but for endpoints that are left alone for a while, or do not answer. */
  readonly overdue: (endpoints: Iterable<Endpoint>, nowMs: number) => readonly string[]
  /** "No payment stays unknown": those that were begun before a moment, and are. */
  readonly unknown: (beforeMs: number) => readonly string[]
  /** Once everything has come to rest. */
  readonly atRest: (endpoints: Iterable<Endpoint>, nowMs: number) => void
}

export class Broken extends Error {}

/** Retries come once a day at least; a little later, lest they come together. */
const RETRIES_MS = 27 * HOUR_MS

/** Retries of a delivery that later events of its payment wait for. */
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

/** Types of transactions that an acquirer is asked about; of the others it knows before we do. */
const isAsked = (type: string) => ['PA', 'DB', 'CD', 'CP', 'RV', 'RF', 'RB'].includes(type)

/** Types of transactions that merchants are told of (contract, Events). */
const isToldOf = (type: string) => !['SD', 'RS', 'DS', 'RE', 'RI', 'AV'].includes(type)

export function createPromises(disk: SimulatedDisk, acquirer: SimulatedAcquirer | undefined): Promises {
  const { rows } = disk
  const dirty = new Set<string>()
  const byName = new Map<string, string[]>()
  const declines = new Map<string, string>()
  const approvals = new Map<string, { readonly wish: string; readonly answer: Told }>()
  const answers = new Map<string, string>()
  const never = new Set<string>()

  const find = (id: string) =>
    rows.transactionsOf.get(rows.rootOfChild.get(id) ?? id)?.find((row) => row.id === id) ??
    rows.transactionsOf.get(id)?.find((row) => row.id === id)

  /** "No acknowledged payment is lost": it is there, as it was told. */
  function stored(id: string, wish: string, told: Told): void {
    const row = find(id) ?? broken(`${wish} was told of ${id}, which is not stored`)
    const amount = row.amount_minor === null ? undefined : (row.amount_minor / 100).toFixed(2)
    const isSame = row.result_code === told.code && row.type === told.type && amount === told.amount
    if (!isSame || row.status !== 'ACK')
      broken(
        `${wish} was told ${told.type} ${told.amount} ${told.code}; ${row.type} ${amount} ${row.result_code} is stored`,
      )
  }

  const rowsNamed = (name: string) => (byName.get(name) ?? []).flatMap((id) => find(id) ?? [])

  /** "… or doubled": a request is there once, however often it was sent; so is each attempt at a run of a plan. */
  function once({ id, type, merchant_transaction_id: name }: TransactionRow): void {
    // A registration that a payment makes bears the name of the payment.
    if (name === null || type === 'RG') return
    byName.set(name, [...new Set([...(byName.get(name) ?? []), id])])
    const same = rowsNamed(name)
    const counted = name.startsWith('wish-') ? same : same.filter(({ status }) => status === 'ACK')
    if (counted.length > 1) broken(`${name} is stored ${counted.length} times`)
    if (never.has(name)) broken(`${name} was told that it was not processed, and is stored`)
  }

  /** Whoever listens is told: the event and its deliveries are in the same unit as what they tell of. */
  function announced(unit: Unit): void {
    const { event = [], job = [] } = unit.rows
    const decided = changedIn(unit).filter((row) => row.status !== 'SENT' && isToldOf(row.type))
    const events = new Set(event.map(({ id }) => id))
    for (const { id, url, of } of webhooks) {
      if (rows.webhook.get(id)?.state !== 'active') continue
      const due = decided.filter((row) => of.includes(row.channel))
      const telling = job.filter(
        ({ kind, lane, subject_id }) => kind === 'delivery' && lane === id && events.has(subject_id),
      )
      if (telling.length < due.length) broken(`${url} is told of ${telling.length} of ${due.length} transactions`)
    }
  }

  /** The deliveries of each line, in the order in which they were written. */
  const lines = new Map<string, string[]>()
  const lineOf = ({ lane, line }: JobRow) => lines.get(`${lane}|${line}`) ?? []

  /** The places of a line follow the order of the commits, whatever the clocks say. */
  function placed({ expectedVersions, rows: { job: jobs = [] } }: Unit): void {
    for (const job of jobs) {
      if (job.kind !== 'delivery' || job.line === null || lineOf(job).includes(job.id)) continue
      const before = lineOf(job).map((id) => rows.job.get(id)?.line_place ?? 0)
      const isGuarded = expectedVersions.some(({ id }) => id === job.line)
      if (isGuarded && Math.max(-1, ...before) > (job.line_place ?? 0))
        broken(`delivery ${job.id} has a place before what was written earlier`)
      lines.set(`${job.lane}|${job.line}`, [...lineOf(job), job.id])
    }
  }

  /** A webhook gets an event only when all before it were delivered, given up, or failed for long. */
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

  /** What the acquirer has done is what is stored as done, and nothing else, but where nobody knows yet. */
  function agreeing({ books }: SimulatedAcquirer): void {
    for (const row of [...rows.transactionsOf.values()].flat()) {
      const entry = books.get(row.id)
      if (row.status === 'SENT' || !isAsked(row.type)) continue
      if (row.status === 'NOK' && entry) broken(`${row.type} ${row.id} is declined, and the acquirer has done it`)
      if (row.status === 'ACK' && entry?.amountMinor !== row.amount_minor)
        broken(`${row.type} ${row.id} is approved with ${row.amount_minor}, and the acquirer has ${entry?.amountMinor}`)
    }
    for (const [id, { operation }] of books) if (!find(id)) broken(`the acquirer has a ${operation} ${id} of nobody`)
  }

  function whole(): void {
    for (const [id, { wish, answer }] of approvals) stored(id, wish, answer)
    for (const [id, wish] of declines)
      if ((find(id)?.status ?? 'NOK') !== 'NOK') broken(`${wish} was told that ${id} was declined, and it was not`)
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
    told(wish, answer) {
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
        broken(`${name} was told ${answer.code}, and was approved`)
      if (sent.operation === 'getPayment' && answer.status !== 200) broken(`${sent.id} cannot be read: ${answer.code}`)
    },
    rejected({ name }) {
      never.add(name)
      if (byName.has(name)) broken(`${name} was told that it was not processed, and is stored`)
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
      const deaf = new Set(
        [...endpoints].filter(({ mood, isSteady }) => mood === 'dead' || !isSteady).map(({ webhookId }) => webhookId),
      )
      return [...rows.job.values()]
        .filter((job) => job.done_at_ms === null && job.parked_at_ms === null && job.due_at_ms <= nowMs)
        .filter((job) => !deaf.has(job.lane))
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
            broken(`event ${subject_id} counts as delivered to ${webhookId}, which never had it`)
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
