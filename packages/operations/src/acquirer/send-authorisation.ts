import { InvariantError } from '@tollgate/contract'
import type { AcquirerRequest, Connector, RemoteConnector } from '@tollgate/connectors'
import { type DecidedUnit, freedKeys, type PendingUnit, type RemoteRequest } from '../pending-unit.ts'
import type { Context } from '../context.ts'
import { commitChange } from '../commit-change.ts'
import { errorFields } from '../error-fields.ts'
import { jobDone, jobDue } from '../job-transitions.ts'
import { limits } from '../limits.ts'
import { timeoutReversalTimer } from '../records/timers.ts'
import { connectorOf } from './connector-of.ts'
import { call } from './link.ts'
import { type AcquirerResponse, timedOut } from './acquirer-response.ts'

/** A transaction with a request to an acquirer. */
export interface AuthorisationToSend {
  readonly question: AcquirerRequest
  /**
   * Makes the unit of a response: a row for the transaction of the request, and its further rows. May be called for
   * several responses, and again after a version conflict.
   */
  readonly propose: (response: AcquirerResponse) => Promise<DecidedUnit>
  /** Erases the decrypted data of the request. May be called twice. */
  readonly release: () => void
}

/**
 * Sends the request: at once to an acquirer in the process; across a network once it is durable that the request may
 * have been sent and its amount is reserved.
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

/** Sends a request that moves no money: nothing is reserved, and nothing remains without an answer. */
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
  const { propose, release } = asking
  try {
    const open = await propose(timedOut)
    const { answer, transaction, account, agreement, unique, onAbandoned } = open
    const attempt = attemptOf(context, link, asking, open)
    return {
      answer,
      transaction,
      account,
      agreement,
      rows: { job: [attempt.timer] },
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

/** @param open the reservation */
function attemptOf(
  context: Context,
  link: RemoteConnector,
  { question, propose, release }: AuthorisationToSend,
  open: DecidedUnit,
) {
  const { clock, log } = context
  const { row } = open.transaction
  // A payment may have waited minutes for its shopper before the request is sent.
  const timer = { ...timeoutReversalTimer(context, row, row.created_at_ms), due_at_ms: clock.now() + limits.attemptMs }

  /** Only if no other process has begun the reversal. */
  function outcomeOf(outcome: DecidedUnit): PendingUnit {
    const freed = outcome.transaction.row.status === 'NOK' ? freedKeys(open.unique?.keys ?? [], clock.now()) : []
    return {
      ...outcome,
      // The reservation is stored: the transaction is no longer new, and the versions of its trees have increased.
      transaction: { row: outcome.transaction.row, from: row },
      account: undefined,
      agreement: undefined,
      unique: undefined,
      compareAndSets: [...(outcome.compareAndSets ?? []), jobDone(timer), ...freed],
    }
  }

  /** It is ended as soon as it can be. */
  function handOver(): PendingUnit {
    const compareAndSets = [jobDue(timer, clock.now())]
    return { answer: open.answer, compareAndSets, rows: { velocity: open.rows?.velocity } }
  }

  /** The timeout reversal may have begun before the acquirer received the request: another reversal is sent. */
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
    timer,
    async ask() {
      const response = await call(context, link, question, approvedLate)
      return async () => (response.status === 'timedOut' ? handOver() : outcomeOf(await propose(response)))
    },
    leave,
    over: release,
  } satisfies RemoteRequest & { timer: unknown }
}
