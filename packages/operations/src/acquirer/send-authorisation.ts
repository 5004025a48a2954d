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

/** A transaction that an acquirer is to be asked about. */
export interface AuthorisationToSend {
  readonly question: AcquirerRequest
  /**
   * What comes of it by what was said: a row for the transaction that the question names, and all that goes with it.
   * ApprovedPayment before: it may be called for several things that were said, and again after something was changed.
   */
  readonly propose: (response: AcquirerResponse) => Promise<DecidedUnit>
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

/** @param open what is reserved */
function attemptOf(
  context: Context,
  link: RemoteConnector,
  { question, propose, release }: AuthorisationToSend,
  open: DecidedUnit,
) {
  const { clock, log } = context
  const { row } = open.transaction
  // A payment may have waited for its shopper for minutes before its acquirer is asked.
  const timer = { ...timeoutReversalTimer(context, row, row.created_at_ms), due_at_ms: clock.now() + limits.attemptMs }

  /** Only where nobody else has begun to end it. */
  function outcomeOf(outcome: DecidedUnit): PendingUnit {
    const freed = outcome.transaction.row.status === 'NOK' ? freedKeys(open.unique?.keys ?? [], clock.now()) : []
    return {
      ...outcome,
      // What was reserved is stored: the transaction is no longer new, and the trees have moved on.
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
    timer,
    async ask() {
      const response = await call(context, link, question, approvedLate)
      return async () => (response.status === 'timedOut' ? handOver() : outcomeOf(await propose(response)))
    },
    leave,
    over: release,
  } satisfies RemoteRequest & { timer: unknown }
}
