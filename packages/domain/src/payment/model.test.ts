import { DAY_MS } from '@tollgate/contract'
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

const isLong = process.env['TOLLGATE_TEST_LONG'] === '1'
const limits: PaymentLimits = { treeTransactionsMax: 12, refundWindowMs: 5 * DAY_MS, clearingCutOffMs: DAY_MS }

/** One random operation. Amounts and times are small, so that bounds are met, passed and just missed. */
interface Step {
  readonly type: PaymentType
  /** Index of a type that may refer to the transaction, in place of `type`, if there is such a type. */
  readonly legal: number | undefined
  /** Position of the referenced transaction, counted back from the latest, modulo their number. */
  readonly at: number
  readonly amountMinor: number | undefined
  readonly final: boolean
  readonly days: number
  /** Its outcome, if a request is sent to an acquirer. */
  readonly status: TransactionStatus
  /** Whether the caller has every right and the account is still stored. */
  readonly permitted: boolean
}

const anyStep = (statuses: readonly TransactionStatus[]) =>
  fc.record<Step>({
    type: fc.constantFrom(...paymentTypes),
    legal: fc.option(fc.nat(9), { nil: undefined, freq: 4 }),
    at: fc.oneof(fc.constant(0), fc.nat(11)),
    amountMinor: fc.option(fc.nat(8), { nil: undefined, freq: 4 }),
    final: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
    days: fc.constantFrom(0, 0, 0, 0.5, 1, 3),
    status: fc.constantFrom(...statuses),
    permitted: fc.integer({ min: 0, max: 9 }).map((n) => n > 0),
  })

/** The step with its type for this transaction. */
function stepOn(on: Transaction | undefined, step: Step): Step {
  const legal = paymentTypes.filter((type) => on && moves[type].after[on.type])
  return { ...step, type: (step.legal !== undefined && legal[step.legal % legal.length]) || step.type }
}

const payment = (statuses: readonly TransactionStatus[]) =>
  fc.record({
    type: fc.constantFrom<PaymentType>('PA', 'PA', 'PA', 'DB', 'CD'),
    amountMinor: fc.integer({ min: 1, max: 10 }),
    numberOfCaptures: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
    steps: fc.array(anyStep(statuses), { minLength: 1, maxLength: 16 }),
  })

const command = (
  { type, amountMinor, final, permitted }: Pick<Step, 'type' | 'amountMinor' | 'final' | 'permitted'>,
  atMs: number,
): Command => ({
  type,
  amountMinor,
  currency: 'EUR',
  channel: 'channel',
  brand: 'VISA',
  final,
  incremental: true,
  accountAvailable: permitted,
  rights: permitted ? ['system'] : [],
  atMs,
})

/** Decides, and applies an approved transaction. */
function move(tree: Tree | undefined, referencedId: string | undefined, request: Command, status: TransactionStatus) {
  const decision = decide(tree, referencedId, request, limits)
  if (decision.kind !== 'go') return { decision, tree }
  const transaction: Transaction = {
    ...decision,
    id: `t${tree?.transactions.length ?? 0}`,
    rootId: 't0',
    status: decision.recorded ? 'ACK' : status,
    brand: 'VISA',
    method: 'CC',
    testMode: 'INTERNAL',
    channel: 'channel',
    createdAtMs: request.atMs,
  }
  return { decision, tree: apply(tree, transaction) }
}

/** An amount that was charged or refunded. */
interface Line {
  readonly type: PaymentType
  readonly amount: number
  readonly createdAtMs: number
  /** The part that is neither refunded nor charged back. */
  left: number
  /** The part that is charged back. */
  lost: number
  reversed: boolean
  /** Whether a final refund was made. */
  closed: boolean
}

/** A simple model of a payment: the hold, a line for each charge and refund, and the chargebacks and reversals. */
interface Model {
  open: number
  closed: boolean
  captures: number
  readonly capturesMax: number
  readonly endsAtMs: number
  readonly lines: Map<string, Line>
  readonly chargebacks: Map<string, { readonly line: Line; readonly second: boolean; left: number }>
  readonly reversals: Map<string, { readonly line: Line; readonly amount: number; lost: number }>
}

const newLine = (type: PaymentType, amount: number, createdAtMs: number): Line => ({
  type,
  amount,
  createdAtMs,
  left: amount,
  lost: 0,
  reversed: false,
  closed: false,
})

/** Whether the model allows a step. A step that is allowed and succeeds is recorded. */
function allows(model: Model, id: string, on: string, step: Step, atMs: number): boolean {
  const { type, amountMinor, final, permitted } = step
  const isRoot = on === 't0' && model.capturesMax > 0
  const line = model.lines.get(on)
  const held = model.closed || atMs >= model.endsAtMs ? 0 : model.open
  const done = step.status === 'ACK'
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
      model.lines.set(id, newLine('CP', amount, atMs))
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
  if (type === 'RV' && line && ['DB', 'CP', 'RB'].includes(line.type)) {
    const late = atMs - line.createdAtMs > limits.clearingCutOffMs
    if (late || line.left !== line.amount || (amountMinor ?? line.amount) !== line.amount) return false
    if (done) {
      line.left = 0
      line.reversed = true
      if (line.type === 'CP') {
        model.open += line.amount
        model.captures -= 1
      }
    }
    return true
  }
  if (type === 'RF' && line && line.type !== 'RF') {
    const late = atMs - line.createdAtMs > limits.refundWindowMs
    if (late || line.closed || line.lost > 0 || amount === 0 || amount > line.left) return false
    if (done) {
      line.left -= amount
      line.closed ||= final
      model.lines.set(id, newLine('RF', amount, atMs))
    }
    return true
  }
  if (!permitted || amount === 0) return false
  if (type === 'RB' && line && ['DB', 'CP'].includes(line.type) && !line.reversed) {
    if (done) model.lines.set(id, newLine('RB', amount, atMs))
    return true
  }
  if (type === 'RC' && (isRoot || (line && ['DB', 'CP', 'RB'].includes(line.type)))) {
    model.lines.set(id, newLine('RC', amount, atMs))
    return true
  }
  return type === 'CB' || type === 'CR' ? allowsDispute(model, id, on, type, amount) : false
}

/** Whether the model allows a chargeback or its reversal. If so, it is recorded. */
function allowsDispute(model: Model, id: string, on: string, type: 'CB' | 'CR', amount: number): boolean {
  const line = model.lines.get(on)
  const chargeback = model.chargebacks.get(on)
  const reversal = model.reversals.get(on)
  if (type === 'CR') {
    if (!chargeback || chargeback.second || amount > chargeback.left) return false
    chargeback.left -= amount
    chargeback.line.lost -= amount
    chargeback.line.left += amount
    model.reversals.set(id, { line: chargeback.line, amount, lost: 0 })
    return true
  }
  if (line && ['DB', 'CP', 'RB', 'RF'].includes(line.type)) {
    if (line.lost > 0 || amount > line.left) return false
    line.lost += amount
    line.left -= amount
    model.chargebacks.set(id, { line, second: false, left: amount })
    return true
  }
  if (!reversal || reversal.lost > 0 || amount > reversal.amount || amount > reversal.line.left) return false
  reversal.lost += amount
  reversal.line.lost += amount
  reversal.line.left -= amount
  model.chargebacks.set(id, { line: reversal.line, second: true, left: amount })
  return true
}

describe('any sequence of operations', () => {
  it('is decided as in the model', () => {
    const accepted = new Map<string, number>()
    fc.assert(
      fc.property(payment(['ACK', 'ACK', 'ACK', 'NOK']), ({ type, amountMinor, numberOfCaptures, steps }) => {
        const first = { ...command({ type, amountMinor, final: false, permitted: true }, 0), numberOfCaptures }
        let { tree } = move(undefined, undefined, first, 'ACK')
        const model: Model = {
          open: amountMinor,
          closed: false,
          captures: 0,
          capturesMax: type === 'PA' ? (numberOfCaptures ?? 98) : 0,
          endsAtMs: 7 * DAY_MS,
          lines: new Map(),
          chargebacks: new Map(),
          reversals: new Map(),
        }
        if (type !== 'PA') model.lines.set('t0', newLine(type, amountMinor, 0))
        let atMs = 0
        for (const step of steps) {
          atMs += step.days * DAY_MS
          const before = tree?.transactions ?? []
          const on = before.at(-1 - (step.at % before.length))
          const one = stepOn(on, step)
          const moved = move(tree, on?.id, command(one, atMs), one.status)
          const room = before.length < limits.treeTransactionsMax && on?.status === 'ACK'
          const expected = room && allows(model, `t${before.length}`, on.id, one, atMs)
          const answer = expected ? 'go' : 'refused'
          if (moved.decision.kind !== answer) expect(moved.decision).toMatchObject({ kind: answer })
          if (expected) accepted.set(`${one.type} on ${on.type}`, (accepted.get(`${one.type} on ${on.type}`) ?? 0) + 1)
          tree = moved.tree
        }
      }),
      { numRuns: isLong ? 100_000 : 4_000 },
    )
    const legal = paymentTypes.flatMap((type) =>
      paymentTypes.filter((on) => moves[type].after[on]).map((on) => `${type} on ${on}`),
    )
    expect([...accepted.keys()].toSorted()).toEqual(legal.toSorted())
  })

  it('keeps captured within authorised, and refunds and chargebacks within captured', () => {
    fc.assert(
      fc.property(
        payment(['ACK', 'ACK', 'PENDING', 'SENT', 'NOK']),
        ({ type, amountMinor, numberOfCaptures, steps }) => {
          const first = { ...command({ type, amountMinor, final: false, permitted: true }, 0), numberOfCaptures }
          let { tree } = move(undefined, undefined, first, 'ACK')
          let atMs = 0
          for (const step of steps) {
            atMs += step.days * DAY_MS
            const before: readonly Transaction[] = tree?.transactions ?? []
            const on = before.at(-1 - (step.at % before.length))
            const one = stepOn(on, step)
            tree = move(tree, on?.id, command(one, atMs), one.status).tree
            const broken = tree ? violationsOf(tree, atMs) : []
            // An expectation after each step would take most of the time.
            if (broken.length > 0) expect(broken).toEqual([])
          }
        },
      ),
      { numRuns: isLong ? 50_000 : 2_000 },
    )
  })
})

/** The names of the violated invariants of a payment. */
function violationsOf(tree: Tree, atMs: number): readonly string[] {
  const broken: string[] = []
  const must = (holds: boolean, invariant: string): void => {
    if (!holds) broken.push(invariant)
  }
  if (rootOf(tree).type === 'PA') {
    const { authorisedMinor, capturedMinor, reservedMinor, openMinor } = holdOf(tree, atMs)
    must(openMinor >= 0, 'the open amount is not negative')
    must(capturedMinor + reservedMinor + openMinor <= authorisedMinor, 'captured is within authorised')
  }
  for (const transaction of tree.transactions) {
    const { id, type, status, referencedId } = transaction
    const referenced = tree.transactions.find((other) => other.id === referencedId)
    must(!referenced || moves[type].after[referenced.type] !== undefined, `${id}: ${type} may follow`)
    if (status !== 'ACK' || !['DB', 'CD', 'CP', 'RB', 'RC', 'RF'].includes(type)) continue
    const charge = chargeOf(tree, transaction)
    must(charge.refundedMinor + charge.chargedBackMinor <= charge.capturedMinor, `${id}: losses within captured`)
    must(charge.chargedBackMinor >= 0, `${id}: the charged back amount is not negative`)
    must(charge.refundableMinor >= 0, `${id}: the refundable amount is not negative`)
  }
  const { capturedMinor, refundedMinor, chargedBackMinor } = totalsOf(tree)
  must(refundedMinor + chargedBackMinor <= capturedMinor, 'refunded and charged back within captured')
  must(tree.version === tree.transactions.length, 'the version counts the transactions')
  must(stateOf(tree, atMs) !== 'REJECTED', 'an approved payment is not rejected')
  return broken
}
