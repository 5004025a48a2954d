import type { AcquirerRequest, RemoteConnector } from '@tollgate/connectors'
import { mayTryNext } from '@tollgate/domain'
import type { AcquirerAttemptRow, JobRow } from '@tollgate/storage'
import { type DecidedUnit, keyReleases, type PendingUnit, type RemoteRequest } from '../pending-unit.ts'
import type { Context } from '../context.ts'
import { commitChange } from '../commit-change.ts'
import { errorFields } from '../error-fields.ts'
import { jobDone, jobDue, jobPostponed } from '../job-transitions.ts'
import { limits } from '../limits.ts'
import { mayStoreOfflineSale } from '../parameters/offline-sale.ts'
import { timeoutReversalTimer } from '../records/timers.ts'
import { type AcquirerResponse, timedOut } from './acquirer-response.ts'
import { attemptDone, lastRequest, newAttempt } from './attempts.ts'
import { type AttemptFacts, type CardRetries, cardRetriesOf } from './card-retries.ts'
import type { Routing } from './connector-of.ts'
import type { NamedConnector } from './named-connector.ts'
import { sendOrReverse } from './remote-request.ts'

/** An authorisation request, with the function that decides the unit of its response. */
export interface AuthorisationToSend {
  readonly request: AcquirerRequest
  readonly routing: Routing
  /**
   * Decides the unit of a response: the row of the requested transaction, and all other rows that the response changes.
   * May be called for several responses, and again after a version conflict.
   */
  readonly decide: (response: AcquirerResponse) => Promise<DecidedUnit>
  /** Erases the decrypted data of the request, once a remote request is complete or abandoned. May be called twice. */
  readonly release: (() => void) | undefined
  /** Of a new payment: the facts by which the networks limit retries with its card. */
  readonly attempt?: AttemptFacts | undefined
}

/** An authorisation whose first connector is remote. */
interface RemoteAuthorisation extends AuthorisationToSend {
  readonly first: NamedConnector<RemoteConnector>
  readonly retries: CardRetries | undefined
}

/**
 * Sends a request to an acquirer in this process at once. A request across a network is sent after the commit of a unit
 * that reserves the amount and records that the request may have been sent. If it did not reach its acquirer, or the
 * acquirer could not reach the issuer, the request is sent to the next connector of its route.
 */
export function sendAuthorisation(context: Context, authorisation: AuthorisationToSend): Promise<PendingUnit> {
  const { request, decide, routing } = authorisation
  const { name, connector } = routing.first
  if (connector.kind === 'remote') return sendUnlessForbidden(context, authorisation, { name, connector })
  const response = connector.send(request)
  return decide(routing.decision ? routedBy(routing.first, routing, response) : response)
}

/** Declines an attempt with a card that the networks forbid, before anything is stored or sent. */
async function sendUnlessForbidden(
  context: Context,
  authorisation: AuthorisationToSend,
  first: NamedConnector<RemoteConnector>,
): Promise<PendingUnit> {
  const { request, attempt, decide } = authorisation
  const retries = cardRetriesOf(context, request, attempt)
  const refusal = await retries?.refusal()
  return refusal ? decide(refusal) : reserve(context, { first, retries, ...authorisation })
}

/** The request of a follow-up with the references of its original, some of whose fields its message repeats. */
async function withOriginal(
  context: Context,
  connector: RemoteConnector,
  request: AcquirerRequest,
): Promise<AcquirerRequest> {
  const { original } = request
  if (!original || !connector.references) return request
  const attempt = await lastRequest(context, original.transactionId)
  return attempt ? { ...request, original: { ...original, sentAs: attempt.sent_as } } : request
}

/**
 * Sends a request that moves no money: no amount is reserved, and no reversal job is needed. Each attempt is stored
 * before it is sent; the transaction of the account follows if the acquirer accepts the account.
 */
export async function sendVerification(
  context: Context,
  request: AcquirerRequest,
  { first, others }: Routing,
  attempt: AttemptFacts,
): Promise<AcquirerResponse> {
  const retries = first.connector.kind === 'remote' ? cardRetriesOf(context, request, attempt) : undefined
  const refusal = await retries?.refusal()
  if (refusal) return refusal
  let response = await verifyAt(context, request, first, attempt)
  for (const connector of others) {
    if (!isTriedNext(response)) break
    response = await verifyAt(context, request, connector, attempt)
  }
  await retries?.record(response)
  return response
}

async function verifyAt(
  context: Context,
  request: AcquirerRequest,
  { name, connector }: NamedConnector,
  { merchant }: AttemptFacts,
): Promise<AcquirerResponse> {
  if (connector.kind === 'local') return connector.send(request)
  const attempt = await newAttempt(context, { name, connector }, request, { kind: 'verification', merchant })
  if (attempt) await commitChange(context, { rows: { acquirer_attempt: [attempt] } })
  const response = await sendOrReverse(context, { name, connector }, request, attempt?.sent_as)
  if (attempt) await commitChange(context, { compareAndSets: [attemptDone(attempt, response)] })
  return response
}

/** Whether a request with this response is sent to the next connector of its route. */
const isTriedNext = ({ code, details }: AcquirerResponse): boolean =>
  mayTryNext({ code, advice: details['MerchantAdviceCode'] })

/** "Advice 0220 is never dropped: SAF like reversals" (domain, Timeout, reversal): whether the job may send a sale. */
const mayForward = (
  { connector }: NamedConnector,
  { offlineApproval, account, secrets }: AcquirerRequest,
  { mayBeSentLater }: AcquirerResponse,
): boolean =>
  mayBeSentLater === true &&
  offlineApproval !== undefined &&
  account?.number !== undefined &&
  mayStoreOfflineSale({ secrets }) &&
  connector.kind === 'remote' &&
  connector.forwardsOfflineSales === true

/** The unit of a request with an unknown outcome, which is committed before the request is sent. */
async function reserve(context: Context, authorisation: RemoteAuthorisation): Promise<PendingUnit> {
  const { first, request, routing } = authorisation
  let reservation: DecidedUnit | undefined
  try {
    reservation = await authorisation.decide(routedBy(first, routing, timedOut))
    const { merchant } = reservation.transaction.row
    const sent = { ...authorisation, request: await withOriginal(context, first.connector, request) }
    const attempt = await newAttempt(context, first, sent.request, { kind: 'request', merchant })
    return reservationUnit(context, sent, reservation, attempt)
  } catch (error) {
    reservation?.onAbandoned?.()
    authorisation.release?.()
    throw error
  }
}

function reservationUnit(
  context: Context,
  authorisation: RemoteAuthorisation,
  reservation: DecidedUnit,
  attempt: AcquirerAttemptRow | undefined,
): PendingUnit {
  const { release } = authorisation
  const { answer, transaction, account, agreement, unique, onAbandoned } = reservation
  const remoteRequest = remoteRequestOf(context, authorisation, reservation, attempt)
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

const routedBy = (
  { name }: NamedConnector,
  { decision }: Routing,
  response: Omit<AcquirerResponse, 'routed'>,
): AcquirerResponse => ({
  routed: { connector: name, decision },
  ...response,
})

function remoteRequestOf(
  context: Context,
  { request, decide, release, routing, first, retries }: RemoteAuthorisation,
  reservation: DecidedUnit,
  firstAttempt: AcquirerAttemptRow | undefined,
) {
  const { clock, log } = context
  const { row } = reservation.transaction
  // The timer runs from now, not from the creation of the row: the row may be minutes old when the request is sent,
  // because the shopper was on the page of the issuer.
  const firstTimer = {
    ...timeoutReversalTimer(context, row, row.created_at_ms),
    due_at_ms: clock.now() + limits.timeoutReversalAfterMs,
  }
  let named: NamedConnector = first
  let attempt = firstAttempt
  let timer: JobRow = firstTimer

  /** The unit of the outcome. Its commit conflicts if another process has begun the timeout reversal. */
  function outcomeUnit(outcome: DecidedUnit, response: AcquirerResponse): PendingUnit {
    const freed =
      outcome.transaction.row.status === 'NOK' ? keyReleases(reservation.unique?.keys ?? [], clock.now()) : []
    const { answer, onAbandoned, registered, expectedVersions, rows, compareAndSets = [], erases } = outcome
    return {
      answer,
      onAbandoned,
      registered,
      expectedVersions,
      rows,
      erases,
      // The reservation is stored: the transaction is no longer new, and the versions of its trees have increased.
      transaction: { row: outcome.transaction.row, from: row },
      account: undefined,
      agreement: undefined,
      unique: undefined,
      remoteRequest: undefined,
      compareAndSets: [
        ...compareAndSets,
        jobDone(timer),
        ...(attempt ? [attemptDone(attempt, response)] : []),
        ...freed,
      ],
      // Every member is named, so that a new one is not lost.
    } satisfies Readonly<Record<keyof PendingUnit, unknown>>
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

  async function sendOnce(): Promise<AcquirerResponse> {
    const { name, connector } = named
    if (connector.kind === 'local') return connector.send(request)
    return sendOrReverse(context, { name, connector }, request, attempt?.sent_as, reverseLateApproval)
  }

  /**
   * Commits the attempt at the next connector, with the result of the last attempt, before the request is sent there.
   *
   * @returns false if another process has begun the timeout reversal: nothing more is sent
   */
  async function moveTo(next: NamedConnector, nextAttempt: AcquirerAttemptRow, last: AcquirerResponse) {
    const postponed = jobPostponed(timer, clock.now() + limits.timeoutReversalAfterMs)
    const compareAndSets = attempt ? [postponed, attemptDone(attempt, last)] : [postponed]
    if (!(await commitChange(context, { compareAndSets, rows: { acquirer_attempt: [nextAttempt] } }))) return false
    named = next
    attempt = nextAttempt
    timer = postponed.to
    return true
  }

  async function sendByRoute(): Promise<AcquirerResponse> {
    const startedAtMs = clock.now()
    let response = await sendOnce()
    for (const next of routing.others) {
      if (!isTriedNext(response) || clock.now() - startedAtMs >= limits.acquirerTimeoutMs) break
      const nextAttempt = await newAttempt(context, next, request, { kind: 'request', merchant: row.merchant })
      if (!nextAttempt) continue
      if (!(await moveTo(next, nextAttempt, response))) break
      response = await sendOnce()
    }
    // A sale that has already happened is not refused: its job sends it, as if it had been sent without an answer.
    const isForwarded = attempt !== undefined && mayForward(named, request, response)
    return routedBy(named, routing, isForwarded ? timedOut : response)
  }

  return {
    timer: firstTimer,
    async send() {
      const response = await sendByRoute()
      // It is durable before the answer, so that the merchant's next attempt is checked against it.
      await retries?.record(response)
      return async () =>
        response.status === 'timedOut' ? timeoutUnit() : outcomeUnit(await decide(response), response)
    },
    scheduleReversal,
    release,
  } satisfies RemoteRequest & { timer: unknown }
}
