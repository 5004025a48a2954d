import { InvariantError } from '@tollgate/contract'
import type { AcquirerRequest, Connector, RemoteConnector } from '@tollgate/connectors'
import type { AcquirerAttemptRow } from '@tollgate/storage'
import { type DecidedUnit, keyReleases, type PendingUnit, type RemoteRequest } from '../pending-unit.ts'
import type { Context } from '../context.ts'
import { commitChange } from '../commit-change.ts'
import { errorFields } from '../error-fields.ts'
import { jobDone, jobDue } from '../job-transitions.ts'
import { limits } from '../limits.ts'
import { timeoutReversalTimer } from '../records/timers.ts'
import { attemptDone, newAttempt } from './attempts.ts'
import { connectorOf } from './connector-of.ts'
import { sendOrReverse } from './remote-request.ts'
import { type AcquirerResponse, timedOut } from './acquirer-response.ts'

/** An authorisation request, with the function that decides the unit of its response. */
export interface AuthorisationToSend {
  readonly request: AcquirerRequest
  /**
   * Decides the unit of a response: the row of the requested transaction, and all other rows that the response changes.
   * May be called for several responses, and again after a version conflict.
   */
  readonly decide: (response: AcquirerResponse) => Promise<DecidedUnit>
  /** Erases the decrypted data of the request, once a remote request is complete or abandoned. May be called twice. */
  readonly release: (() => void) | undefined
}

/**
 * Sends a request to an acquirer in this process at once. A request across a network is sent after the commit of a unit
 * that reserves the amount and records that the request may have been sent.
 */
export function sendAuthorisation(context: Context, authorisation: AuthorisationToSend): Promise<PendingUnit> {
  const connector = connectorOf(context, authorisation.request)
  // No promise is awaited for a payment whose connector is known at once.
  return connector instanceof Promise
    ? connector.then((each) => sendBy(context, each, authorisation))
    : sendBy(context, connector, authorisation)
}

function sendBy(
  context: Context,
  connector: Connector | undefined,
  authorisation: AuthorisationToSend,
): Promise<PendingUnit> {
  const { request, decide } = authorisation
  const required = existing(connector, request)
  return required.kind === 'remote' ? reserve(context, required, authorisation) : decide(required.send(request))
}

/** Sends a request that moves no money: no amount is reserved, and no reversal job is needed. */
export async function sendVerification(context: Context, request: AcquirerRequest): Promise<AcquirerResponse> {
  const connector = existing(await connectorOf(context, request), request)
  if (connector.kind !== 'remote') return connector.send(request)
  return sendOrReverse(context, connector, request, await connector.references?.(request))
}

function existing(connector: Connector | undefined, request: AcquirerRequest): Connector {
  if (!connector) throw new InvariantError('accepted payment has no acquirer', request.transactionId)
  return connector
}

/** The unit of a request with an unknown outcome, which is committed before the request is sent. */
async function reserve(
  context: Context,
  connector: RemoteConnector,
  authorisation: AuthorisationToSend,
): Promise<PendingUnit> {
  let reservation: DecidedUnit | undefined
  try {
    reservation = await authorisation.decide(timedOut)
    const { merchant } = reservation.transaction.row
    const attempt = await newAttempt(context, connector, authorisation.request, { kind: 'request', merchant })
    return reservationUnit(context, connector, authorisation, reservation, attempt)
  } catch (error) {
    reservation?.onAbandoned?.()
    authorisation.release?.()
    throw error
  }
}

function reservationUnit(
  context: Context,
  connector: RemoteConnector,
  authorisation: AuthorisationToSend,
  reservation: DecidedUnit,
  attempt: AcquirerAttemptRow | undefined,
): PendingUnit {
  const { release } = authorisation
  const { answer, transaction, account, agreement, unique, onAbandoned } = reservation
  const remoteRequest = remoteRequestOf(context, connector, authorisation, reservation, attempt)
  return {
    answer,
    transaction,
    account,
    agreement,
    rows: { job: [remoteRequest.timer], acquirer_attempt: attempt && [attempt] },
    unique: unique && {
      keys: unique.keys,
      onConflict(owner) {
        release?.()
        return unique.onConflict(owner)
      },
    },
    onAbandoned() {
      onAbandoned?.()
      release?.()
    },
    remoteRequest,
  }
}

function remoteRequestOf(
  context: Context,
  connector: RemoteConnector,
  { request, decide, release }: AuthorisationToSend,
  reservation: DecidedUnit,
  attempt: AcquirerAttemptRow | undefined,
) {
  const { clock, log } = context
  const { row } = reservation.transaction
  // The timer runs from now, not from the creation of the row: the row may be minutes old when the request is sent,
  // because the shopper was on the page of the issuer.
  const timer = {
    ...timeoutReversalTimer(context, row, row.created_at_ms),
    due_at_ms: clock.now() + limits.timeoutReversalAfterMs,
  }

  /** The unit of the outcome. Its commit conflicts if another process has begun the timeout reversal. */
  function outcomeUnit(outcome: DecidedUnit, response: AcquirerResponse): PendingUnit {
    const freed =
      outcome.transaction.row.status === 'NOK' ? keyReleases(reservation.unique?.keys ?? [], clock.now()) : []
    return {
      ...outcome,
      // The reservation is stored: the transaction is no longer new, and the versions of its trees have increased.
      transaction: { row: outcome.transaction.row, from: row },
      account: undefined,
      agreement: undefined,
      unique: undefined,
      compareAndSets: [
        ...(outcome.compareAndSets ?? []),
        jobDone(timer),
        ...(attempt ? [attemptDone(attempt, response)] : []),
        ...freed,
      ],
    }
  }

  /** The unit of a request that timed out: its reversal is due now. */
  function timeoutUnit(): PendingUnit {
    const compareAndSets = [jobDue(timer, clock.now())]
    return { answer: reservation.answer, compareAndSets, rows: { velocity: reservation.rows?.velocity } }
  }

  /** Schedules another reversal, because the acquirer may have received an earlier reversal before the request. */
  async function scheduleReversal(): Promise<void> {
    const job = timeoutReversalTimer(context, row, clock.now())
    await commitChange(context, { rows: { job: [job] } })
  }

  function reverseLateApproval(): void {
    scheduleReversal().catch((error) =>
      log.error({ operation: 'reverse a late approval', transaction: row.id, ...errorFields(error) }),
    )
  }

  return {
    timer,
    async send() {
      const response = await sendOrReverse(context, connector, request, attempt?.sent_as, reverseLateApproval)
      return async () =>
        response.status === 'timedOut' ? timeoutUnit() : outcomeUnit(await decide(response), response)
    },
    scheduleReversal,
    release,
  } satisfies RemoteRequest & { timer: unknown }
}
