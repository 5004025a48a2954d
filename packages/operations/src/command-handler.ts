import { isResultCode } from '@tollgate/contract'
import {
  type CommitResult,
  type CompareAndSet,
  type IdempotencyRow,
  type Storage,
  StorageError,
  type Unit,
} from '@tollgate/storage'
import { type Answer, type Refusal, type Renderer, type RequestMark, runWaiting } from './answer.ts'
import { createInFlightTracker } from './concurrency/in-flight-tracker.ts'
import { createKeyedMutex } from './concurrency/keyed-mutex.ts'
import { createSingleFlight } from './concurrency/single-flight.ts'
import { limits } from './limits.ts'
import { narrow } from './narrow.ts'
import { type PendingUnit, type RemoteRequest, unitOf, isEmptyChange } from './pending-unit.ts'

/** The caller's Idempotency-Key, hashed with its entity, and the keyed hash of the request. */
export interface IdempotencyClaim {
  readonly id: string
  readonly merchant: string
  readonly fingerprint: string
}

/**
 * Executes the commands of requests, which change payments only through it. An operation supplies `decide`; the command
 * handler claims the idempotency key, commits the pending unit, decides again after a version conflict, and returns the
 * answer once it is durable.
 */
export interface CommandHandler {
  /**
   * @param decide reads, decides and renders; called again after a version conflict
   * @param scope for an operation on rows that concurrent requests may change
   */
  execute(
    mark: RequestMark,
    claim: IdempotencyClaim | undefined,
    decide: () => PendingUnit | Promise<PendingUnit>,
    scope?: MutexScope,
  ): Promise<Answer>
  /** Single-flight by key, with one trailing run. */
  once(key: string, work: () => Promise<Answer>): Promise<Answer>
  /** The number of units that requests have given to the storage, without bulk work. */
  units(): number
  /** Resolves when every operation that is now in flight has ended. */
  inFlightEnded(): Promise<void>
}

/** The mutex of an operation on rows that concurrent requests may change, and the form of its refusals. */
export interface MutexScope {
  /**
   * The id of the transaction or resource that is changed. Changes with one key are serialised within a process: ten
   * concurrent captures are all legal, and the mutex avoids their version conflicts.
   */
  readonly mutexKey: string
  /** Renders a refusal by the handler; by default the handler's renderer is used. */
  readonly refuse?: ((refusal: Refusal) => Promise<Answer>) | undefined
}

/** @param render renders the refusals by the handler itself */
export function createCommandHandler(storage: Storage, render: Renderer): CommandHandler {
  /** Requests in flight by idempotency key: a repetition of a request with its key gets the answer of the first one. */
  const inFlight = new Map<string, { readonly fingerprint: string; readonly answer: Promise<Answer> }>()

  const withLock = createKeyedMutex()
  const operations = createInFlightTracker()
  let units = 0

  function commit(unit: Unit): Promise<CommitResult> {
    units += 1
    return storage.commit(unit)
  }

  const withMutex = <T>({ scope }: Command, work: () => Promise<T>): Promise<T> =>
    scope ? withLock(scope.mutexKey, work) : work()

  const refuse = async ({ mark, scope }: Command, refusal: Refusal): Promise<Answer> =>
    scope?.refuse ? scope.refuse(refusal) : render.refusal(refusal.status, refusal.code, mark, refusal)

  /** Decides and commits the first unit, and again after each version conflict. */
  async function decideAndCommit(command: Command): Promise<FirstCommit> {
    const { mark, claim, decide } = command
    let abandon: PendingUnit['onAbandoned']
    try {
      let alternative: PendingUnit | undefined
      for (let tries = 0; tries < limits.commandTriesMax; tries += 1) {
        const pending: PendingUnit = alternative ?? (await decide())
        const { answer, transaction, remoteRequest } = pending
        abandon = pending.onAbandoned
        if (!claim && isEmptyChange(pending)) return { answer }
        const claimRow = claim && idempotencyRow(claim, answer, mark)
        // The unit that begins a remote request has the id of the transaction. The unit of its outcome has the id of
        // the request, because the events of the outcome contain that id.
        const id = (remoteRequest && transaction?.row.id) ?? mark.requestId
        const result = await commit(unitOf(id, pending, claimRow))
        if (result.kind === 'committed') {
          abandon = undefined
          return { answer, remoteRequest, claimRow }
        }
        if (result.kind === 'claimed') return { answer: await replay(result.row, command) }
        // `onAbandoned` undoes the decision's changes in memory. After a conflict of a uniqueness constraint it is not
        // called, because the alternative unit needs them.
        if (result.kind === 'stale') abandon?.()
        alternative = result.kind === 'conflict' ? await pending.unique?.onConflict(result.row) : undefined
      }
      return { answer: await refuse(command, BUSY) }
    } finally {
      abandon?.()
    }
  }

  /** Sends the request to the acquirer and commits its outcome. After a failure, a timeout reversal is sent later. */
  async function sendAndComplete(
    command: Command,
    remoteRequest: RemoteRequest,
    timedOut: Answer,
    claimRow: IdempotencyRow | undefined,
  ): Promise<Answer> {
    try {
      // The request is sent outside the mutex, so that other operations on the payment do not wait for the acquirer.
      const decideOutcome = await runWaiting(command.mark, remoteRequest.send)
      const answer = await withMutex(command, () => commitOutcome(command, decideOutcome, claimRow))
      if (!answer) await remoteRequest.scheduleReversal()
      return answer ?? timedOut
    } catch (error) {
      // The answer is not an error, because the acquirer may have processed the request.
      if (error instanceof StorageError) return timedOut
      throw error
    } finally {
      remoteRequest.release?.()
    }
  }

  /** @returns undefined if the outcome is not stored, because every try had a version conflict */
  async function commitOutcome(
    { mark, claim }: Command,
    decideOutcome: () => Promise<PendingUnit>,
    claimRow: IdempotencyRow | undefined,
  ): Promise<Answer | undefined> {
    let abandon: PendingUnit['onAbandoned']
    try {
      for (let tries = 0; tries < limits.responseTriesMax; tries += 1) {
        const { answer, onAbandoned, ...outcome } = await decideOutcome()
        abandon = onAbandoned
        const compareAndSets: CompareAndSet[] = [...(outcome.compareAndSets ?? [])]
        if (claim && claimRow)
          compareAndSets.push({ table: 'idempotency_key', from: claimRow, to: idempotencyRow(claim, answer, mark) })
        const { kind } = await commit(unitOf(mark.requestId, { ...outcome, compareAndSets }))
        if (kind === 'committed') {
          abandon = undefined
          return answer
        }
        abandon?.()
      }
      return undefined
    } finally {
      abandon?.()
    }
  }

  async function replay(row: IdempotencyRow, command: Command): Promise<Answer> {
    if (row.fingerprint !== command.claim?.fingerprint) return refuse(command, KEY_REUSED)
    return { status: row.http_status, code: narrow(isResultCode, row.result_code), body: row.answer }
  }

  async function run(command: Command): Promise<Answer> {
    const generation = operations.enter()
    try {
      const { answer, remoteRequest, claimRow } = await withMutex(command, () => decideAndCommit(command))
      return remoteRequest ? await sendAndComplete(command, remoteRequest, answer, claimRow) : answer
    } finally {
      operations.leave(generation)
    }
  }

  async function runUnlessStored(command: Command, claim: IdempotencyClaim): Promise<Answer> {
    const stored = await storage.idempotencyKey(claim.id)
    const isValid = stored && stored.expires_at_ms > command.mark.atMs
    return isValid ? replay(stored, command) : run(command)
  }

  async function runOnce(command: Command, claim: IdempotencyClaim): Promise<Answer> {
    const first = inFlight.get(claim.id)
    if (first) return first.fingerprint === claim.fingerprint ? first.answer : refuse(command, KEY_REUSED)
    const answer = runUnlessStored(command, claim)
    inFlight.set(claim.id, { fingerprint: claim.fingerprint, answer })
    try {
      return await answer
    } finally {
      inFlight.delete(claim.id)
    }
  }

  return {
    execute(mark, claim, decide, scope) {
      const command = { mark, claim, decide, scope }
      return claim ? runOnce(command, claim) : run(command)
    },
    once: createSingleFlight<Answer>(),
    units: () => units,
    inFlightEnded: () => operations.inFlightEnded(),
  }
}

const BUSY: Refusal = {
  status: 400,
  code: '800.700.100',
  reason: 'other requests changed the same data concurrently: send this request again',
}

const KEY_REUSED: Refusal = {
  status: 400,
  code: '200.300.404',
  parameterErrors: [
    { name: 'Idempotency-Key', value: '', message: 'was used before with another request; use a new key for it' },
  ],
}

/** The state of a command once its first commit is durable. */
interface FirstCommit {
  readonly answer: Answer
  readonly remoteRequest?: RemoteRequest | undefined
  readonly claimRow?: IdempotencyRow | undefined
}

/** The arguments of `execute`. */
interface Command {
  readonly mark: RequestMark
  readonly claim: IdempotencyClaim | undefined
  readonly decide: () => PendingUnit | Promise<PendingUnit>
  readonly scope: MutexScope | undefined
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
