import type { Guard, Storage, Unit } from '@tollgate/storage'
import type { Answer, Renderer, RequestMark } from './answer.ts'
import { limits } from './limits.ts'

/** What an operation wants to happen: its answer, already rendered, and the rows to be durable before it leaves. */
export interface Proposal {
  readonly answer: Answer
  readonly guards?: readonly Guard[]
  readonly rows?: Unit['rows']
  readonly erases?: Unit['erases']
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
}

/** What several requests may want to change at once. */
export interface Shared {
  /**
   * The transaction that is referred to. Within a process its changes take turns: ten captures at once are all legal,
   * and none should lose a race that the others can avoid.
   */
  readonly reference: string
  /** The operation's own wording of 800.700.100, for when the races were lost all the same. */
  busy(): Answer
}

export function createFunnel(storage: Storage, render: Renderer): Funnel {
  /** Requests under way by key: a second one with the same key waits for the first one's answer. */
  const underWay = new Map<string, { readonly fingerprint: string; readonly answer: Promise<Answer> }>()

  /** The last change under way of each transaction that is referred to. */
  const turns = new Map<string, Promise<Answer>>()

  const keyReused = (mark: RequestMark): Answer =>
    render.refusal(400, '200.300.404', mark, {
      parameterErrors: [
        { name: 'Idempotency-Key', value: '', message: 'was used before with another request; use a new key for it' },
      ],
    })

  /** Every change of one transaction waits for the one before it. */
  async function inTurn(reference: string, work: () => Promise<Answer>): Promise<Answer> {
    const before = turns.get(reference)
    const turn = before ? before.then(work, work) : work()
    turns.set(reference, turn)
    try {
      return await turn
    } finally {
      if (turns.get(reference) === turn) turns.delete(reference)
    }
  }

  async function run({ mark, claim, decide, shared }: Change): Promise<Answer> {
    for (let round = 0; round < limits.decisionsMax; round += 1) {
      const { answer, guards = [], rows = {}, erases } = await decide()
      if (!claim && guards.length === 0 && Object.keys(rows).length === 0) return answer
      const kept = claim && idempotencyRow(claim, answer, mark)
      const unit: Unit = { id: mark.requestId, guards, rows, claim: kept, erases }
      const result = await storage.commit(unit)
      if (result.kind === 'committed') return answer
      if (result.kind === 'claimed') return replay(result.row, claim, mark)
    }
    return shared?.busy() ?? render.refusal(400, '800.700.100', mark)
  }

  function replay(
    row: { fingerprint: string; http_status: number; answer: string },
    claim: Claim | undefined,
    mark: RequestMark,
  ) {
    if (row.fingerprint !== claim?.fingerprint) return keyReused(mark)
    return { status: row.http_status, code: codeOf(row.answer), body: row.answer }
  }

  async function start(change: Change): Promise<Answer> {
    const { mark, claim, shared } = change
    const stored = claim && (await storage.idempotencyKey(claim.id))
    if (stored) return replay(stored, claim, mark)
    return shared ? inTurn(shared.reference, () => run(change)) : run(change)
  }

  return {
    async submit(mark, claim, decide, shared) {
      const change = { mark, claim, decide, shared }
      if (!claim) return start(change)
      const first = underWay.get(claim.id)
      if (first) return first.fingerprint === claim.fingerprint ? first.answer : keyReused(mark)
      const answer = start(change)
      underWay.set(claim.id, { fingerprint: claim.fingerprint, answer })
      try {
        return await answer
      } finally {
        underWay.delete(claim.id)
      }
    },
  }
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
    answer: answer.body,
    created_at_ms: mark.atMs,
  }
}

function codeOf(body: string): Answer['code'] {
  const answer: { result: { code: Answer['code'] } } = JSON.parse(body)
  return answer.result.code
}
