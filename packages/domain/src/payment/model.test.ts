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
const limits: PaymentLimits = {
  treeTransactionsMax: 12,
  followUpWindowMs: 6 * DAY_MS,
  refundWindowMs: 5 * DAY_MS,
  clearingCutOffMs: DAY_MS,
}

/** One random operation. Amounts and times are small, so that bounds are met, passed and just missed. */
interface Step {
  readonly type: PaymentType
  /** Index among the types that may refer to the transaction, modulo their number; undefined: `type` is used. */
  readonly legalIndex: number | undefined
  /** Position of the referenced transaction, counted back from the newest, modulo the number of transactions. */
  readonly referenced: number
  readonly amountMinor: number | undefined
  readonly final: boolean
  readonly days: number
  /** The outcome, if a request is sent to an acquirer. */
  readonly status: TransactionStatus
  /** Whether the caller has every right and the account is still stored. */
  readonly isPermitted: boolean
}

const anyStep = (statuses: readonly TransactionStatus[]) =>
  fc.record<Step>({
    type: fc.constantFrom(...paymentTypes),
    legalIndex: fc.option(fc.nat(9), { nil: undefined, freq: 4 }),
    referenced: fc.oneof(fc.constant(0), fc.nat(11)),
    amountMinor: fc.option(fc.nat(8), { nil: undefined, freq: 4 }),
    final: fc.integer({ min: 0, max: 9 }).map((digit) => digit === 0),
    days: fc.constantFrom(0, 0, 0, 0.5, 1, 3),
    status: fc.constantFrom(...statuses),
    isPermitted: fc.integer({ min: 0, max: 9 }).map((digit) => digit > 0),
  })

/** The step with the type that `legalIndex` selects, if any type may refer to this transaction. */
function stepOn(referenced: Transaction | undefined, step: Step): Step {
  const legal = paymentTypes.filter((type) => referenced && moves[type].after[referenced.type])
  return { ...step, type: (step.legalIndex !== undefined && legal[step.legalIndex % legal.length]) || step.type }
}

const anyPayment = (statuses: readonly TransactionStatus[]) =>
  fc.record({
    type: fc.constantFrom<PaymentType>('PA', 'PA', 'PA', 'DB', 'CD'),
    amountMinor: fc.integer({ min: 1, max: 10 }),
    numberOfCaptures: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
    steps: fc.array(anyStep(statuses), { minLength: 1, maxLength: 16 }),
  })

const commandOf = (
  { type, amountMinor, final, isPermitted }: Pick<Step, 'type' | 'amountMinor' | 'final' | 'isPermitted'>,
  atMs: number,
): Command => ({
  type,
  amountMinor,
  currency: 'EUR',
  channel: 'channel',
  brand: 'VISA',
  final,
  incremental: true,
  isAccountAvailable: isPermitted,
  rights: isPermitted ? ['system'] : [],
  atMs,
})

/** Decides a command, and adds the transaction to the tree if the decision is go. */
function decideAndApply(
  tree: Tree | undefined,
  referencedId: string | undefined,
  request: Command,
  status: TransactionStatus,
) {
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
interface Entry {
  readonly type: PaymentType
  readonly amount: number
  readonly createdAtMs: number
  /** The part that is neither reversed, refunded nor charged back. */
  remaining: number
  /** The part that is charged back. */
  chargedBack: number
  isReversed: boolean
  /** Whether a final refund was made. */
  isClosed: boolean
}

/** A simple model of a payment: the hold, an entry for each charge and refund, the chargebacks and their reversals. */
interface Model {
  open: number
  isClosed: boolean
  captures: number
  readonly capturesMax: number
  readonly expiresAtMs: number
  readonly entries: Map<string, Entry>
  readonly chargebacks: Map<string, { readonly entry: Entry; readonly isSecond: boolean; remaining: number }>
  readonly reversals: Map<string, { readonly entry: Entry; readonly amount: number; chargedBack: number }>
}

const newEntry = (type: PaymentType, amount: number, createdAtMs: number): Entry => ({
  type,
  amount,
  createdAtMs,
  remaining: amount,
  chargedBack: 0,
  isReversed: false,
  isClosed: false,
})

/** Whether the model allows a step. A step that is allowed and succeeds is recorded. */
function allows(model: Model, id: string, referencedId: string, step: Step, atMs: number): boolean {
  const { type, amountMinor, final, isPermitted } = step
  const isPreauthorisation = referencedId === 't0' && model.capturesMax > 0
  const entry = model.entries.get(referencedId)
  const open = model.isClosed || atMs >= model.expiresAtMs ? 0 : model.open
  const isApproved = step.status === 'ACK'
  const amount = amountMinor ?? 0
  if (type === 'PA' && isPreauthorisation) {
    if (open === 0 || amount === 0) return false
    if (isApproved) model.open += amount
    return true
  }
  if (type === 'CP' && isPreauthorisation) {
    if (amount === 0 || amount > open || model.captures >= model.capturesMax) return false
    if (isApproved) {
      model.open -= amount
      model.captures += 1
      model.isClosed ||= final
      model.entries.set(id, newEntry('CP', amount, atMs))
    }
    return true
  }
  if (type === 'RV' && isPreauthorisation) {
    const released = amountMinor ?? open
    if (released === 0 || released > open) return false
    if (isApproved) {
      model.open -= released
      model.isClosed ||= final
    }
    return true
  }
  if (type === 'RV' && entry && ['DB', 'CP', 'RB'].includes(entry.type)) {
    const isLate = atMs - entry.createdAtMs > limits.clearingCutOffMs
    if (isLate || entry.remaining !== entry.amount || (amountMinor ?? entry.amount) !== entry.amount) return false
    if (isApproved) {
      entry.remaining = 0
      entry.isReversed = true
      if (entry.type === 'CP') {
        model.open += entry.amount
        model.captures -= 1
      }
    }
    return true
  }
  if (type === 'RF' && entry && entry.type !== 'RF') {
    const isLate = atMs - entry.createdAtMs > limits.refundWindowMs
    if (isLate || entry.isClosed || entry.chargedBack > 0 || amount === 0 || amount > entry.remaining) return false
    if (isApproved) {
      entry.remaining -= amount
      entry.isClosed ||= final
      model.entries.set(id, newEntry('RF', amount, atMs))
    }
    return true
  }
  if (!isPermitted || amount === 0) return false
  if (type === 'RB' && entry && ['DB', 'CP'].includes(entry.type) && !entry.isReversed) {
    if (isApproved) model.entries.set(id, newEntry('RB', amount, atMs))
    return true
  }
  if (type === 'RC' && (isPreauthorisation || (entry && ['DB', 'CP', 'RB'].includes(entry.type)))) {
    model.entries.set(id, newEntry('RC', amount, atMs))
    return true
  }
  return type === 'CB' || type === 'CR' ? allowsDispute(model, id, referencedId, type, amount) : false
}

/** Whether the model allows a chargeback or its reversal, which it then records. */
function allowsDispute(model: Model, id: string, referencedId: string, type: 'CB' | 'CR', amount: number): boolean {
  const entry = model.entries.get(referencedId)
  const chargeback = model.chargebacks.get(referencedId)
  const reversal = model.reversals.get(referencedId)
  if (type === 'CR') {
    if (!chargeback || chargeback.isSecond || amount > chargeback.remaining) return false
    chargeback.remaining -= amount
    chargeback.entry.chargedBack -= amount
    chargeback.entry.remaining += amount
    model.reversals.set(id, { entry: chargeback.entry, amount, chargedBack: 0 })
    return true
  }
  if (entry && ['DB', 'CP', 'RB', 'RF'].includes(entry.type)) {
    if (entry.chargedBack > 0 || amount > entry.remaining) return false
    entry.chargedBack += amount
    entry.remaining -= amount
    model.chargebacks.set(id, { entry, isSecond: false, remaining: amount })
    return true
  }
  if (!reversal || reversal.chargedBack > 0 || amount > reversal.amount || amount > reversal.entry.remaining)
    return false
  reversal.chargedBack += amount
  reversal.entry.chargedBack += amount
  reversal.entry.remaining -= amount
  model.chargebacks.set(id, { entry: reversal.entry, isSecond: true, remaining: amount })
  return true
}

describe('any sequence of operations', () => {
  it('is decided as in the model, and all sequences together contain every legal move', () => {
    const accepted = new Set<string>()
    fc.assert(
      fc.property(anyPayment(['ACK', 'ACK', 'ACK', 'NOK']), ({ type, amountMinor, numberOfCaptures, steps }) => {
        const rootCommand = {
          ...commandOf({ type, amountMinor, final: false, isPermitted: true }, 0),
          numberOfCaptures,
        }
        let { tree } = decideAndApply(undefined, undefined, rootCommand, 'ACK')
        const model: Model = {
          open: amountMinor,
          isClosed: false,
          captures: 0,
          capturesMax: type === 'PA' ? (numberOfCaptures ?? 98) : 0,
          expiresAtMs: 7 * DAY_MS,
          entries: new Map(),
          chargebacks: new Map(),
          reversals: new Map(),
        }
        if (type !== 'PA') model.entries.set('t0', newEntry(type, amountMinor, 0))
        let atMs = 0
        for (const step of steps) {
          atMs += step.days * DAY_MS
          const before = tree?.transactions ?? []
          const referenced = before.at(-1 - (step.referenced % before.length))
          const legalStep = stepOn(referenced, step)
          const result = decideAndApply(tree, referenced?.id, commandOf(legalStep, atMs), legalStep.status)
          const isTooOld = atMs - (before.at(-1)?.createdAtMs ?? 0) > limits.followUpWindowMs
          const canFollow = before.length < limits.treeTransactionsMax && referenced?.status === 'ACK' && !isTooOld
          const isAllowed = canFollow && allows(model, `t${before.length}`, referenced.id, legalStep, atMs)
          const kind = isAllowed ? 'go' : 'refused'
          if (result.decision.kind !== kind) expect(result.decision).toMatchObject({ kind })
          if (isAllowed) accepted.add(`${legalStep.type} on ${referenced.type}`)
          tree = result.tree
        }
      }),
      { numRuns: isLong ? 100_000 : 4_000 },
    )
    const legal = paymentTypes.flatMap((type) =>
      paymentTypes
        .filter((referenced) => moves[type].after[referenced])
        .map((referenced) => `${type} on ${referenced}`),
    )
    expect([...accepted].toSorted()).toEqual(legal.toSorted())
  })

  it('keeps captured within authorised, and refunds and chargebacks within captured', () => {
    fc.assert(
      fc.property(
        anyPayment(['ACK', 'ACK', 'PENDING', 'SENT', 'NOK']),
        ({ type, amountMinor, numberOfCaptures, steps }) => {
          const rootCommand = {
            ...commandOf({ type, amountMinor, final: false, isPermitted: true }, 0),
            numberOfCaptures,
          }
          let { tree } = decideAndApply(undefined, undefined, rootCommand, 'ACK')
          let atMs = 0
          for (const step of steps) {
            atMs += step.days * DAY_MS
            const before: readonly Transaction[] = tree?.transactions ?? []
            const referenced = before.at(-1 - (step.referenced % before.length))
            const legalStep = stepOn(referenced, step)
            tree = decideAndApply(tree, referenced?.id, commandOf(legalStep, atMs), legalStep.status).tree
            const violations = tree ? violationsOf(tree, atMs) : []
            // An expectation after each step would take most of the time.
            if (violations.length > 0) expect(violations).toEqual([])
          }
        },
      ),
      { numRuns: isLong ? 50_000 : 2_000 },
    )
  })
})

/** The names of the violated invariants of a payment. */
function violationsOf(tree: Tree, atMs: number): readonly string[] {
  const violations: string[] = []
  const check = (holds: boolean, invariant: string): void => {
    if (!holds) violations.push(invariant)
  }
  if (rootOf(tree).type === 'PA') {
    const { authorisedMinor, capturedMinor, reservedMinor, openMinor } = holdOf(tree, atMs)
    check(openMinor >= 0, 'the open amount is not negative')
    check(capturedMinor + reservedMinor + openMinor <= authorisedMinor, 'captured is within authorised')
  }
  for (const transaction of tree.transactions) {
    const { id, type, status, referencedId } = transaction
    const referenced = tree.transactions.find((candidate) => candidate.id === referencedId)
    check(
      !referenced || moves[type].after[referenced.type] !== undefined,
      `${id}: ${type} may refer to its referenced transaction`,
    )
    if (status !== 'ACK' || !['DB', 'CD', 'CP', 'RB', 'RC', 'RF'].includes(type)) continue
    const charge = chargeOf(tree, transaction)
    check(
      charge.refundedMinor + charge.chargedBackMinor <= charge.capturedMinor,
      `${id}: refunds and chargebacks are within captured`,
    )
    check(charge.chargedBackMinor >= 0, `${id}: the charged back amount is not negative`)
    check(charge.refundableMinor >= 0, `${id}: the refundable amount is not negative`)
  }
  const { capturedMinor, refundedMinor, chargedBackMinor } = totalsOf(tree)
  check(refundedMinor + chargedBackMinor <= capturedMinor, 'refunds and chargebacks are within captured')
  check(tree.version === tree.transactions.length, 'the version counts the transactions')
  check(stateOf(tree, atMs) !== 'REJECTED', 'an approved payment is not rejected')
  return violations
}
