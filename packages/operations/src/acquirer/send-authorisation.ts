import { InvariantError } from '@tollgate/contract'
import type { AcquirerRequest, Connector, RemoteConnector } from '@tollgate/connectors'
import type { CompareAndSet, TransactionRow, UniqueKeyRow } from '@tollgate/storage'
import type { RemoteRequest, PendingUnit } from '../pending-unit.ts'
import type { Context } from '../context.ts'
import { commitChange } from '../commit-change.ts'
import { errorFields } from '../error-fields.ts'
import { jobDone, jobDue } from '../job-transitions.ts'
import { limits } from '../limits.ts'
import { timeoutReversalTimer } from '../records/timers.ts'
import { connectorOf } from './connector-of.ts'
import { call } from './link.ts'
import { type AcquirerResponse, timedOut } from './acquirer-response.ts'

/** A transaction that an acquirer is to be asked about. */
export interface AuthorisationToSend {
  readonly question: AcquirerRequest
  /**
   * What comes of it by what was said: a row for the transaction that the question names, and all that goes with it.
   * ApprovedPayment before: it may be called for several things that were said, and again after something was changed.
   */
  readonly propose: (response: AcquirerResponse) => Promise<PendingUnit>
  /** Erases what the question was lent. May be called twice. */
  readonly release: () => void
}

/**
 * Asks the acquirer: at once where it answers in the process; across a network once it is durable that it may have been
 * asked, and its amount reserved.
 */
export async function sendAuthorisation(context: Context, asking: AuthorisationToSend): Promise<PendingUnit> {
  const { question, propose, release } = asking
  const connector = linkFor(context, question)
  if (connector.kind === 'remote') return reserve(context, connector, asking)
  try {
    return await propose(connector.ask(question))
  } finally {
    release()
  }
}

/** Asks what moves nothing, so that there is nothing to reserve, and nothing is left where no answer came. */
export async function inquire(context: Context, question: AcquirerRequest): Promise<AcquirerResponse> {
  const connector = linkFor(context, question)
  return connector.kind === 'remote' ? call(context, connector, question) : connector.ask(question)
}

function linkFor(context: Context, question: AcquirerRequest): Connector {
  const connector = connectorOf(context, question)
  if (!connector) throw new InvariantError('accepted payment has no acquirer', question.transactionId)
  return connector
}

async function reserve(context: Context, link: RemoteConnector, asking: AuthorisationToSend): Promise<PendingUnit> {
  const { question, propose, release } = asking
  try {
    const open = await propose(timedOut)
    const { rows = {}, unique, onAbandoned } = open
    const row = rows.payment_transaction?.find(({ id }) => id === question.transactionId)
    if (!row) throw new InvariantError('pending unit lacks the transaction of its request', question.transactionId)
    const attempt = attemptOf(context, link, asking, open, row)
    return {
      answer: open.answer,
      expectedVersions: open.expectedVersions ?? [],
      rows: { payment_transaction: [row], account: rows.account, job: [attempt.timer] },
      unique: unique && {
        keys: unique.keys,
        onConflict(taken) {
          release()
          return unique.onConflict(taken)
        },
      },
      onAbandoned() {
        onAbandoned?.()
        release()
      },
      attempt,
    }
  } catch (error) {
    release()
    throw error
  }
}

/** @param open what is reserved */
function attemptOf(
  context: Context,
  link: RemoteConnector,
  { question, propose, release }: AuthorisationToSend,
  open: PendingUnit,
  row: TransactionRow,
) {
  const { clock, log } = context
  // A payment may have waited for its shopper for minutes before its acquirer is asked.
  const timer = { ...timeoutReversalTimer(context, row, row.created_at_ms), due_at_ms: clock.now() + limits.attemptMs }

  /** Only where nobody else has begun to end it. */
  const settled = (response: PendingUnit): PendingUnit =>
    settle(response, open, { row, ends: jobDone(timer), nowMs: clock.now() })

  /** It is ended as soon as it can be. */
  function handOver(): PendingUnit {
    const compareAndSets = [jobDue(timer, clock.now())]
    return { answer: open.answer, compareAndSets, rows: { velocity: open.rows?.velocity } }
  }

  /** Whoever has begun to end it may have done so before the acquirer heard of it: it is ended once more. */
  async function leave(): Promise<void> {
    const job = timeoutReversalTimer(context, row, clock.now())
    await commitChange(context, { rows: { job: [job] } })
  }

  function approvedLate(): void {
    leave().catch((error) =>
      log.error({ operation: 'reverse a late approval', transaction: row.id, ...errorFields(error) }),
    )
  }

  return {
    row,
    timer,
    async ask() {
      const response = await call(context, link, question, approvedLate)
      return async () => (response.status === 'timedOut' ? handOver() : settled(await propose(response)))
    },
    leave,
    over: release,
  } satisfies RemoteRequest & { timer: unknown }
}

/**
 * What was said, in the place of what was reserved: its trees were moved on and its accounts stored, and are not again;
 * what a declined payment claimed is free. What it claimed for a time that is over others may have claimed since.
 */
function settle(
  response: PendingUnit,
  open: PendingUnit,
  { row, ends, nowMs }: { readonly row: TransactionRow; readonly ends: CompareAndSet; readonly nowMs: number },
): PendingUnit {
  const { rows = {}, expectedVersions = [] } = response
  const made = rows.payment_transaction?.find(({ id }) => id === row.id)
  if (!made) throw new InvariantError('pending unit lacks the transaction of its response', row.id)
  const reserved = new Set(open.expectedVersions?.map(({ id }) => id))
  const stored = new Set(open.rows?.account?.map(({ id }) => id))
  const compareAndSets: CompareAndSet[] = [
    ...(response.compareAndSets ?? []),
    ends,
    { table: 'payment_transaction', from: row, to: made },
  ]
  if (made.status === 'NOK')
    for (const from of open.unique?.keys ?? [])
      if ((from.expires_at_ms ?? Infinity) > nowMs) compareAndSets.push(freed(from))
  return {
    ...response,
    unique: undefined,
    expectedVersions: expectedVersions.filter(({ id }) => !reserved.has(id)),
    rows: {
      ...rows,
      payment_transaction: rows.payment_transaction?.filter(({ id }) => id !== row.id),
      account: rows.account?.filter(({ id }) => !stored.has(id)),
    },
    compareAndSets,
  }
}

const freed = (from: UniqueKeyRow): CompareAndSet => ({ table: 'unique_key', from, to: null })
