import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PaymentLimits } from '../limits.ts'
import { chargeOf, holdOf, totalsOf } from './amounts.ts'
import type { Command } from './command.ts'
import { decide } from './decide.ts'
import { moves } from './moves.ts'
import { stateOf } from './state.ts'
import {
  apply,
  type PaymentType,
  paymentTypes,
  rootOf,
  type Transaction,
  type TransactionStatus,
  type Tree,
} from './transaction.ts'

const DAY_MS = 86_400_000
const limits: PaymentLimits = { treeTransactionsMax: 12, refundWindowMs: 5 * DAY_MS, clearingCutOffMs: DAY_MS }

/** One random operation. Amounts and times are small, so that bounds are met, passed and just missed. */
interface Step {
  readonly type: PaymentType
  /** Which of the transactions so far it refers to, counted round. */
  readonly at: number
  readonly amountMinor: number | undefined
  readonly final: boolean
  readonly days: number
  readonly status: TransactionStatus
}

const step = (statuses: readonly TransactionStatus[]) =>
  fc.record<Step>({
    type: fc.constantFrom(...paymentTypes, 'CP', 'RV', 'RF'),
    at: fc.nat(11),
    amountMinor: fc.option(fc.nat(8), { nil: undefined, freq: 4 }),
    final: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
    days: fc.constantFrom(0, 0, 0, 0.5, 1, 3),
    status: fc.constantFrom(...statuses),
  })

const payment = (statuses: readonly TransactionStatus[]) =>
  fc.record({
    type: fc.constantFrom<PaymentType>('PA', 'PA', 'PA', 'DB', 'CD'),
    amountMinor: fc.integer({ min: 1, max: 10 }),
    numberOfCaptures: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
    steps: fc.array(step(statuses), { minLength: 1, maxLength: 16 }),
  })

const command = (
  { type, amountMinor, final }: Pick<Step, 'type' | 'amountMinor' | 'final'>,
  atMs: number,
): Command => ({
  type,
  amountMinor,
  currency: 'EUR',
  channel: 'channel',
  brand: 'VISA',
  final,
  incremental: true,
  atMs,
})

/** Decides, records what was decided, and says whether it was legal. */
function move(tree: Tree | undefined, referencedId: string | undefined, asked: Command, status: TransactionStatus) {
  const decision = decide(tree, referencedId, asked, limits)
  if (decision.kind !== 'go') return { decision, tree }
  const transaction: Transaction = {
    ...decision,
    id: `t${tree?.transactions.length ?? 0}`,
    rootId: 't0',
    status,
    brand: 'VISA',
    method: 'CC',
    testMode: 'INTERNAL',
    channel: 'channel',
    createdAtMs: asked.atMs,
  }
  return { decision, tree: apply(tree, transaction) }
}

/** A payment as a shopkeeper's notebook: what is held, and one line for each sum that was taken. */
interface Model {
  open: number
  closed: boolean
  captures: number
  readonly capturesMax: number
  readonly endsAtMs: number
  readonly taken: Map<string, { amount: number; left: number; bornMs: number; reversible: boolean }>
}

/** Whether the notebook allows it; writes it down if it does and `status` is ACK. */
function allows(
  model: Model,
  id: string,
  on: string,
  { type, amountMinor, final, status }: Step,
  atMs: number,
): boolean {
  const isRoot = on === 't0' && model.capturesMax > 0
  const line = model.taken.get(on)
  const held = model.closed || atMs >= model.endsAtMs ? 0 : model.open
  const done = status === 'ACK'
  const amount = amountMinor ?? 0
  if (type === 'PA' && isRoot) {
    if (held === 0 || amount === 0) return false
    if (done) model.open += amount
    return true
  }
  if (type === 'CP' && isRoot) {
    if (amount === 0 || amount > held || model.captures >= model.capturesMax) return false
    if (done) {
      model.open -= amount
      model.captures += 1
      model.closed ||= final
      model.taken.set(id, { amount, left: amount, bornMs: atMs, reversible: true })
    }
    return true
  }
  if (type === 'RV' && isRoot) {
    const released = amountMinor ?? held
    if (released === 0 || released > held) return false
    if (done) {
      model.open -= released
      model.closed ||= final
    }
    return true
  }
  if (type === 'RV' && line?.reversible) {
    const late = atMs - line.bornMs > limits.clearingCutOffMs
    if (late || line.left !== line.amount || (amountMinor ?? line.amount) !== line.amount) return false
    if (done) {
      line.left = 0
      if (model.capturesMax > 0) {
        model.open += line.amount
        model.captures -= 1
      }
    }
    return true
  }
  if (type === 'RF' && line) {
    const late = atMs - line.bornMs > limits.refundWindowMs
    if (late || amount === 0 || amount > line.left) return false
    if (done) line.left -= amount
    return true
  }
  return false
}

describe('any sequence of operations', () => {
  it('is decided as a plain notebook would', () => {
    const accepted = new Map<string, number>()
    fc.assert(
      fc.property(payment(['ACK', 'ACK', 'ACK', 'NOK']), ({ type, amountMinor, numberOfCaptures, steps }) => {
        const first = { ...command({ type, amountMinor, final: false }, 0), numberOfCaptures }
        let { tree } = move(undefined, undefined, first, 'ACK')
        const model: Model = {
          open: amountMinor,
          closed: false,
          captures: 0,
          capturesMax: type === 'PA' ? (numberOfCaptures ?? 98) : 0,
          endsAtMs: 7 * DAY_MS,
          taken: new Map(),
        }
        const reversible = type === 'DB'
        if (type !== 'PA') model.taken.set('t0', { amount: amountMinor, left: amountMinor, bornMs: 0, reversible })
        let atMs = 0
        for (const one of steps) {
          atMs += one.days * DAY_MS
          const before = tree?.transactions ?? []
          const on = before[one.at % before.length]
          const moved = move(tree, on?.id, command(one, atMs), one.status)
          const room = before.length < limits.treeTransactionsMax && on?.status === 'ACK'
          const expected = room && allows(model, `t${before.length}`, on.id, one, atMs)
          expect(moved.decision.kind).toBe(expected ? 'go' : 'refused')
          if (expected) accepted.set(`${one.type} on ${on.type}`, (accepted.get(`${one.type} on ${on.type}`) ?? 0) + 1)
          tree = moved.tree
        }
      }),
      { numRuns: 10_000 },
    )
    const legal = paymentTypes.flatMap((type) =>
      paymentTypes.filter((on) => moves[type].after[on]).map((on) => `${type} on ${on}`),
    )
    expect([...accepted.keys()].toSorted()).toEqual(legal.toSorted())
  })

  it('keeps captured within authorised and refunded within captured, whatever stays pending', () => {
    fc.assert(
      fc.property(payment(['ACK', 'ACK', 'PENDING', 'NOK']), ({ type, amountMinor, numberOfCaptures, steps }) => {
        const first = { ...command({ type, amountMinor, final: false }, 0), numberOfCaptures }
        let { tree } = move(undefined, undefined, first, 'ACK')
        let atMs = 0
        for (const one of steps) {
          atMs += one.days * DAY_MS
          const before: readonly Transaction[] = tree?.transactions ?? []
          const on = before[one.at % before.length]
          tree = move(tree, on?.id, command(one, atMs), one.status).tree
          if (tree) expectSound(tree, atMs)
        }
      }),
      { numRuns: 5_000 },
    )
  })
})

function expectSound(tree: Tree, atMs: number): void {
  if (rootOf(tree).type === 'PA') {
    const { authorisedMinor, capturedMinor, reservedMinor, openMinor } = holdOf(tree, atMs)
    expect(openMinor).toBeGreaterThanOrEqual(0)
    expect(capturedMinor + reservedMinor + openMinor).toBeLessThanOrEqual(authorisedMinor)
  }
  for (const transaction of tree.transactions) {
    const { type, status, referencedId } = transaction
    const referenced = tree.transactions.find(({ id }) => id === referencedId)
    if (referenced) expect(moves[type].after[referenced.type]).toBeDefined()
    if (status !== 'ACK' || !['DB', 'CD', 'CP'].includes(type)) continue
    const charge = chargeOf(tree, transaction)
    expect(charge.refundedMinor).toBeLessThanOrEqual(charge.capturedMinor)
    expect(charge.refundableMinor).toBeGreaterThanOrEqual(0)
  }
  const { capturedMinor, refundedMinor } = totalsOf(tree)
  expect(refundedMinor).toBeLessThanOrEqual(capturedMinor)
  expect(tree.version).toBe(tree.transactions.length)
  expect(stateOf(tree, atMs)).not.toBe('REJECTED')
}
