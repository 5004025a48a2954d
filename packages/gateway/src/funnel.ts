import { isResultCode } from '@tollgate/contract'
import type { Guard, IdempotencyRow, Storage, UniqueKeyRow, Unit } from '@tollgate/storage'
import type { Answer, Refusal, Renderer, RequestMark } from './answer.ts'
import { known } from './known.ts'
import { limits } from './limits.ts'
import { takeTurns } from './turns.ts'
import { createUnderWay } from './under-way.ts'

/** What an operation wants to happen: its answer, already rendered, and the rows to be durable before it leaves. */
export interface Proposal {
  readonly answer: Answer
  readonly guards?: readonly Guard[]
  readonly rows?: Unit['rows']
  readonly swaps?: Unit['swaps']
  readonly erases?: Unit['erases']
  readonly unique?: Unique | undefined
  /** Takes back what deciding noted in memory, wherever none of the rows came to be written. May be called twice. */
  readonly dropped?: (() => void) | undefined
}

/** What may not be there twice, and what is proposed in its place when it is. */
export interface Unique {
  readonly keys: NonNullable<Unit['unique']>
  readonly whenTaken: (taken: UniqueKeyRow) => Proposal
}

/** The caller's Idempotency-Key, hashed with the entity that sent it, and the keyed hash of what was asked. */
export interface Claim {
  readonly id: string
  readonly merchant: string
  readonly fingerprint: string
}

/**
 * The one way in which anything changes. An operation supplies the middle, `decide`; the funnel claims the idempotency
 * key, commits, decides again after a lost version race, and only then lets the answer go.
 */
export interface Funnel {
  /**
   * @param decide reads what it decides on, decides and renders; called again when that was changed meanwhile
   * @param shared of an operation that changes what others may be changing too
   */
  submit(mark: RequestMark, claim: Claim | undefined, decide: () => Promise<Proposal>, shared?: Shared): Promise<Answer>
  /** Resolves when every operation that is being decided or committed now has come to its end. */
  settled(): Promise<void>
}

/** What several requests may want to change at once. */
export interface Shared {
  /**
   * The transaction that is referred to. Within a process its changes take turns: ten captures at once are all legal,
   * and none should lose a race that the others can avoid.
   */
  readonly reference: string
  /** The operation's own wording of a refusal; without it the renderer's. */
  refuse?(why: Refusal): Promise<Answer>
}

export function createFunnel(storage: Storage, render: Renderer): Funnel {
  /** Requests under way by key: a second one with the same key waits for the first one's answer. */
  const underWay = new Map<string, { readonly fingerprint: string; readonly answer: Promise<Answer> }>()

  const inTurn = takeTurns()
  const operations = createUnderWay()

  const refuse = async ({ mark, shared }: Change, why: Refusal): Promise<Answer> =>
    shared?.refuse ? shared.refuse(why) : render.refusal(why.status, why.code, mark, why)

  async function run(change: Change): Promise<Answer> {
    const { mark, claim, decide } = change
    const generation = operations.enter()
    let drop: Proposal['dropped']
    try {
      let instead: Proposal | undefined
      for (let round = 0; round < limits.decisionsMax; round += 1) {
        const { answer, guards = [], rows = {}, swaps, erases, unique, dropped } = instead ?? (await decide())
        drop = dropped
        if (!claim && !swaps && guards.length === 0 && Object.keys(rows).length === 0) return answer
        const kept = claim && idempotencyRow(claim, answer, mark)
        const unit: Unit = { id: mark.requestId, guards, rows, swaps, claim: kept, erases, unique: unique?.keys }
        const result = await storage.commit(unit)
        if (result.kind === 'committed') {
          drop = undefined
          return answer
        }
        if (result.kind === 'claimed') return replay(result.row, change)
        if (result.kind === 'stale') drop?.()
        instead = result.kind === 'taken' ? unique?.whenTaken(result.row) : undefined
      }
      return refuse(change, BUSY)
    } finally {
      drop?.()
      operations.leave(generation)
    }
  }

  async function replay(row: IdempotencyRow, change: Change): Promise<Answer> {
    if (row.fingerprint !== change.claim?.fingerprint) return refuse(change, KEY_REUSED)
    return { status: row.http_status, code: known(isResultCode, row.result_code), body: row.answer }
  }

  function start(change: Change): Promise<Answer> {
    const { shared } = change
    return shared ? inTurn(shared.reference, () => run(change)) : run(change)
  }

  async function startUnlessStored(change: Change, claim: Claim): Promise<Answer> {
    const stored = await storage.idempotencyKey(claim.id)
    const lasts = stored && stored.expires_at_ms > change.mark.atMs
    return lasts ? replay(stored, change) : start(change)
  }

  async function startOnce(change: Change, claim: Claim): Promise<Answer> {
    const first = underWay.get(claim.id)
    if (first) return first.fingerprint === claim.fingerprint ? first.answer : refuse(change, KEY_REUSED)
    const answer = startUnlessStored(change, claim)
    underWay.set(claim.id, { fingerprint: claim.fingerprint, answer })
    try {
      return await answer
    } finally {
      underWay.delete(claim.id)
    }
  }

  return {
    submit(mark, claim, decide, shared) {
      const change = { mark, claim, decide, shared }
      return claim ? startOnce(change, claim) : start(change)
    },
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

/** One call of submit. */
interface Change {
  readonly mark: RequestMark
  readonly claim: Claim | undefined
  readonly decide: () => Promise<Proposal>
  readonly shared: Shared | undefined
}

function idempotencyRow(claim: Claim, answer: Answer, mark: RequestMark): NonNullable<Unit['claim']> {
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
