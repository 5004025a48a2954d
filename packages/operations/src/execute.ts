import { isResultCode } from '@tollgate/contract'
import { type IdempotencyRow, type Storage, StorageError, type CompareAndSet, type Unit } from '@tollgate/storage'
import type { Answer, Refusal, Renderer, RequestMark } from './answer.ts'
import { known } from './narrow.ts'
import { limits } from './limits.ts'
import { type PendingUnit, type RemoteRequest, unitOf, writesNothing } from './pending-unit.ts'
import { createKeyedMutex } from './concurrency/keyed-mutex.ts'
import { createSingleFlight } from './concurrency/single-flight.ts'
import { createInFlightTracker } from './concurrency/in-flight-tracker.ts'

/** The caller's Idempotency-Key, hashed with its entity, and the keyed hash of the request. */
export interface IdempotencyClaim {
  readonly id: string
  readonly merchant: string
  readonly fingerprint: string
}

/**
 * The only way to change payments. An operation supplies `decide`; the command handler claims the idempotency key,
 * commits the pending unit, decides again after a version conflict, and returns the answer once it is durable.
 */
export interface CommandHandler {
  /**
   * @param decide reads, decides and renders; called again after a version conflict
   * @param shared for an operation on rows that concurrent requests may change
   */
  execute(
    mark: RequestMark,
    claim: IdempotencyClaim | undefined,
    decide: () => Promise<PendingUnit>,
    shared?: MutexScope,
  ): Promise<Answer>
  /** Single-flight by key, with one trailing run. */
  once(key: string, work: () => Promise<Answer>): Promise<Answer>
  /** Resolves when every operation that is in flight now has ended. */
  settled(): Promise<void>
}

/** The rows that concurrent requests may change. */
export interface MutexScope {
  /**
   * The transaction that is referred to. Its changes are serialised within a process: ten concurrent captures are all
   * legal, and a mutex saves them the version conflicts.
   */
  readonly reference: string
  /** The operation's own wording of a refusal; without it the renderer's. */
  readonly refuse?: ((why: Refusal) => Promise<Answer>) | undefined
}

/** @param render for refusals of the handler itself */
export function createCommandHandler(storage: Storage, render: Renderer): CommandHandler {
  /** Requests in flight by idempotency key: a second one with the same key gets the first one's answer. */
  const inFlight = new Map<string, { readonly fingerprint: string; readonly answer: Promise<Answer> }>()

  const withLock = createKeyedMutex()
  const operations = createInFlightTracker()

  const underMutex = <T>({ shared }: Change, work: () => Promise<T>): Promise<T> =>
    shared ? withLock(shared.reference, work) : work()

  const refuse = async ({ mark, shared }: Change, why: Refusal): Promise<Answer> =>
    shared?.refuse ? shared.refuse(why) : render.refusal(why.status, why.code, mark, why)

  /** Decides and commits the first unit, again after each version conflict. */
  async function begin(change: Change): Promise<Begun> {
    const { mark, claim, decide } = change
    let drop: PendingUnit['onAbandoned']
    try {
      let instead: PendingUnit | undefined
      for (let round = 0; round < limits.commandTriesMax; round += 1) {
        const pending: PendingUnit = instead ?? (await decide())
        const { answer, transaction, attempt } = pending
        drop = pending.onAbandoned
        if (!claim && writesNothing(pending)) return { answer }
        const kept = claim && idempotencyRow(claim, answer, mark)
        // The outcome is committed under the id of the request, as its events bear it.
        const id = (attempt && transaction?.row.id) ?? mark.requestId
        const result = await storage.commit(unitOf(id, pending, kept))
        if (result.kind === 'committed') {
          drop = undefined
          return { answer, attempt, kept }
        }
        if (result.kind === 'claimed') return { answer: await replay(result.row, change) }
        if (result.kind === 'stale') drop?.()
        instead = result.kind === 'taken' ? await pending.unique?.onConflict(result.row) : undefined
      }
      return { answer: await refuse(change, BUSY) }
    } finally {
      drop?.()
    }
  }

  /** Sends the request to the acquirer and commits its outcome. After a failure the timeout reversal ends it. */
  async function end(change: Change, attempt: RemoteRequest, timedOut: Answer, kept: IdempotencyRow | undefined) {
    try {
      // Outside the mutex: other operations on the payment do not wait for the acquirer.
      const propose = await attempt.ask()
      const answer = await underMutex(change, () => settle(change, propose, kept))
      if (!answer) await attempt.leave()
      return answer ?? timedOut
    } catch (error) {
      // Not an error answer: the acquirer may have processed the request.
      if (error instanceof StorageError) return timedOut
      throw error
    } finally {
      attempt.over()
    }
  }

  /** @returns undefined after a version conflict in every try: the outcome is not stored */
  async function settle(
    { mark, claim }: Change,
    propose: () => Promise<PendingUnit>,
    kept: IdempotencyRow | undefined,
  ): Promise<Answer | undefined> {
    let drop: PendingUnit['onAbandoned']
    try {
      for (let round = 0; round < limits.responseTriesMax; round += 1) {
        const { answer, onAbandoned, ...outcome } = await propose()
        drop = onAbandoned
        const compareAndSets: CompareAndSet[] = [...(outcome.compareAndSets ?? [])]
        if (claim && kept)
          compareAndSets.push({ table: 'idempotency_key', from: kept, to: idempotencyRow(claim, answer, mark) })
        const { kind } = await storage.commit(unitOf(mark.requestId, { ...outcome, compareAndSets }))
        if (kind === 'committed') {
          drop = undefined
          return answer
        }
        drop?.()
      }
      return undefined
    } finally {
      drop?.()
    }
  }

  async function replay(row: IdempotencyRow, change: Change): Promise<Answer> {
    if (row.fingerprint !== change.claim?.fingerprint) return refuse(change, KEY_REUSED)
    return { status: row.http_status, code: known(isResultCode, row.result_code), body: row.answer }
  }

  async function start(change: Change): Promise<Answer> {
    const generation = operations.enter()
    try {
      const { answer, attempt, kept } = await underMutex(change, () => begin(change))
      return attempt ? await end(change, attempt, answer, kept) : answer
    } finally {
      operations.leave(generation)
    }
  }

  async function startUnlessStored(change: Change, claim: IdempotencyClaim): Promise<Answer> {
    const stored = await storage.idempotencyKey(claim.id)
    const lasts = stored && stored.expires_at_ms > change.mark.atMs
    return lasts ? replay(stored, change) : start(change)
  }

  async function startOnce(change: Change, claim: IdempotencyClaim): Promise<Answer> {
    const first = inFlight.get(claim.id)
    if (first) return first.fingerprint === claim.fingerprint ? first.answer : refuse(change, KEY_REUSED)
    const answer = startUnlessStored(change, claim)
    inFlight.set(claim.id, { fingerprint: claim.fingerprint, answer })
    try {
      return await answer
    } finally {
      inFlight.delete(claim.id)
    }
  }

  return {
    execute(mark, claim, decide, shared) {
      const change = { mark, claim, decide, shared }
      return claim ? startOnce(change, claim) : start(change)
    },
    once: createSingleFlight<Answer>(),
    settled: () => operations.settled(),
  }
}

const BUSY: Refusal = {
  status: 400,
  code: '800.700.100',
  reason: 'other operations on this payment came first: send it again',
}

const KEY_REUSED: Refusal = {
  status: 400,
  code: '200.300.404',
  parameterErrors: [
    { name: 'Idempotency-Key', value: '', message: 'was used before with another request; use a new key for it' },
  ],
}

/** The state of an operation once its first commit is durable. */
interface Begun {
  readonly answer: Answer
  readonly attempt?: RemoteRequest | undefined
  readonly kept?: IdempotencyRow | undefined
}

/** One call of execute. */
interface Change {
  readonly mark: RequestMark
  readonly claim: IdempotencyClaim | undefined
  readonly decide: () => Promise<PendingUnit>
  readonly shared: MutexScope | undefined
}

function idempotencyRow(claim: IdempotencyClaim, answer: Answer, mark: RequestMark): NonNullable<Unit['claim']> {
  return {
    id: claim.id,
    merchant: claim.merchant,
    fingerprint: claim.fingerprint,
    http_status: answer.status,
    result_code: answer.code,
    answer: answer.body,
    created_at_ms: mark.atMs,
    expires_at_ms: mark.atMs + limits.idempotencyKeyMs,
  }
}
