import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatAmount } from '../money.ts'
import { holdOf, totalsOf } from '../payment/amounts.ts'
import { rootOf, type Transaction, type Tree } from '../payment/transaction.ts'
import { exampleTree } from '../testing/example-tree.ts'
import { balancesOf } from './balances.ts'
import type { FeePlan } from './fee-plan.ts'
import { postingKinds } from './posting-kinds.ts'
import { postingsOf } from './postings-of.ts'

const price = { millionths: 0, fixedMinor: 0, minimumMinor: 0 }
const plan: FeePlan = {
  fees: [
    { kind: 'authorisation', tiers: [{ ...price, fromMinor: 0, fixedMinor: 5 }] },
    { kind: 'capture', tiers: [{ ...price, fromMinor: 0, millionths: 20_000 }] },
    { kind: 'cancellation', tiers: [{ ...price, fromMinor: 0, fixedMinor: 7 }] },
    { kind: 'refund', tiers: [{ ...price, fromMinor: 0, fixedMinor: 30 }] },
    { kind: 'dispute', tiers: [{ ...price, fromMinor: 0, fixedMinor: 1500 }] },
  ],
}
const entriesOf = (tree: Tree) =>
  postingsOf(tree, () => plan).map(({ transactionId, kind, amountMinor, feeMinor, currency }) => {
    const fee = feeMinor === 0 ? '' : ` fee ${formatAmount(feeMinor, currency)}`
    return `${transactionId} ${kind} ${formatAmount(amountMinor, currency)}${fee}`
  })

test.each<[lines: string[], entries: string[]]>([
  [['PA 92.00'], ['1 hold 92.00 fee 0.05']],
  [['PA 92.00 NOK'], []],
  [['PA 92.00 PENDING'], []],
  [
    ['PA 92.00', 'PA 8.00'],
    ['1 hold 92.00 fee 0.05', '2 hold 8.00 fee 0.05'],
  ],
  [
    ['PA 92.00', 'CP 60.00'],
    ['1 hold 92.00 fee 0.05', '2 capture 60.00 fee 1.20'],
  ],
  [['PA 92.00', 'CP 60.00 SENT'], ['1 hold 92.00 fee 0.05']],
  [
    ['PA 92.00', 'CP 60.00 FINAL'],
    ['1 hold 92.00 fee 0.05', '2 capture 60.00 fee 1.20', '1 expiry 32.00'],
  ],
  [
    ['PA 92.00', 'CP 10.00 SENT', 'CP 60.00 FINAL'],
    ['1 hold 92.00 fee 0.05', '3 capture 60.00 fee 1.20'],
  ],
  [
    ['PA 92.00', 'CP 10.00 NOK', 'CP 60.00 FINAL'],
    ['1 hold 92.00 fee 0.05', '3 capture 60.00 fee 1.20', '1 expiry 32.00'],
  ],
  [
    ['PA 92.00', 'RV 92.00'],
    ['1 hold 92.00 fee 0.05', '2 release 92.00 fee 0.07'],
  ],
  [
    ['PA 92.00', 'CP 60.00', 'RV 60.00 of 2'],
    ['1 hold 92.00 fee 0.05', '2 capture 60.00 fee 1.20', '3 captureReversal 60.00 fee 0.07'],
  ],
  [
    ['PA 92.00', 'CP 60.00 FINAL', 'RV 60.00 of 2'],
    ['1 hold 92.00 fee 0.05', '2 capture 60.00 fee 1.20', '3 chargeReversal 60.00 fee 0.07', '1 expiry 32.00'],
  ],
  [
    ['PA 92.00', 'CP 30.00', 'CP 10.00 SENT FINAL', 'RV 30.00 of 2'],
    ['1 hold 92.00 fee 0.05', '2 capture 30.00 fee 0.60'],
  ],
  [
    ['DB 92.00', 'RV 92.00'],
    ['1 charge 92.00 fee 1.84', '2 chargeReversal 92.00 fee 0.07'],
  ],
  [
    ['DB 92.00', 'RF 10.00'],
    ['1 charge 92.00 fee 1.84', '2 refund 10.00 fee 0.30'],
  ],
  [['CD 92.00'], ['1 refund 92.00 fee 0.30']],
  [
    ['DB 92.00', 'CB 92.00', 'CR 92.00 of 2', 'CB 92.00 of 3'],
    [
      '1 charge 92.00 fee 1.84',
      '2 chargeback 92.00 fee 15.00',
      '3 chargebackReversal 92.00',
      '4 chargeback 92.00 fee 15.00',
    ],
  ],
  [
    ['DB 92.00', 'RF 10.00', 'CB 10.00 of 2', 'CR 10.00 of 3'],
    ['1 charge 92.00 fee 1.84', '2 refund 10.00 fee 0.30', '3 refundReturn 10.00', '4 refundReturnReversal 10.00'],
  ],
])('%j has the entries %j', (lines, entries) => {
  expect(entriesOf(exampleTree(lines))).toEqual(entries)
})

test('every kind moves its amount and its fee, and has its fee exactly if it names one', () => {
  const incomplete = Object.values(postingKinds).filter(({ fee, movements }) => {
    const moved = new Set(movements.map(({ of }) => of))
    return !moved.has('amount') || moved.has('fee') !== (fee !== undefined)
  })
  expect(incomplete).toEqual([])
})

const step = fc.record({
  line: fc.constantFrom('CP 10.00', 'CP 5.00 FINAL', 'RV 10.00', 'RF 5.00', 'RV 10.00 of', 'CB 5.00 of'),
  of: fc.nat(9),
  status: fc.constantFrom('', '', '', ' NOK', ' SENT'),
})

/**
 * Legal payments: a hold with captures and reversals of any status, and at most one follow-up of each capture. They
 * have up to nine transactions, whose ids then sort as texts.
 */
const payments = fc.array(step, { maxLength: 8 }).map((steps) => {
  const lines = ['PA 1000.00']
  const captures: number[] = []
  let isFinal = false
  for (const { line, of, status } of steps) {
    if (line === 'RV 10.00') {
      if (!isFinal) lines.push(`${line}${status}`)
    } else if (line === 'CP 10.00') {
      if (isFinal) continue
      lines.push(`${line}${status}`)
      if (status === '') captures.push(lines.length)
    } else if (line === 'CP 5.00 FINAL') {
      if (isFinal) continue
      lines.push(`CP 5.00${status} FINAL`)
      isFinal = status !== ' NOK'
    } else {
      const [capture] = captures.splice(of % Math.max(1, captures.length), 1)
      if (capture !== undefined) lines.push(`${line.replace(' of', '')} of ${capture}${status}`)
    }
  }
  return exampleTree(lines)
})

test('the balances of the ledger are the amounts that the tree states', () => {
  fc.assert(
    fc.property(payments, (tree) => {
      const balances = balancesOf(postingsOf(tree, () => plan))
      const of = (account: Parameters<typeof balances.get>[0]) => balances.get(account) ?? 0
      const { capturedMinor, refundedMinor, chargedBackMinor } = totalsOf(tree)
      expect(of('refundTransit') + refundedMinor).toBe(0)
      const netMinor = capturedMinor - refundedMinor - chargedBackMinor
      // While it is unknown whether the hold is closed, the reversal of a capture has no entry.
      const isFinalUndecided = tree.transactions.some(({ status, facts }) => status === 'SENT' && facts.final === true)
      if (!isFinalUndecided) {
        expect(of('acquirerReceivable')).toBe(capturedMinor - chargedBackMinor)
        expect(of('merchantPending') + of('merchantAvailable') + netMinor + of('feeIncome')).toBe(0)
      }
      const hasUndecided = tree.transactions.some(({ status }) => status === 'SENT')
      const { heldMinor } = holdOf(tree, 0)
      if (!hasUndecided) expect(of('authorisationHold')).toBe(heldMinor)
      expect([...balances.values()].reduce((sum, minor) => sum + minor, 0)).toBe(0)
    }),
  )
})

test('entries are added and never changed, in whatever order transactions become approved', () => {
  const withStatus = (tree: Tree, index: number, status: Transaction['status']): Tree => ({
    ...tree,
    transactions: tree.transactions.map((each, place) => (place === index ? { ...each, status } : each)),
  })
  fc.assert(
    fc.property(payments, fc.array(fc.nat(9)), (tree, order) => {
      let current = tree.transactions.reduce(
        (sent, { status }, index) => (status === 'ACK' && index > 0 ? withStatus(sent, index, 'SENT') : sent),
        tree,
      )
      let before = entriesOf(current)
      for (const index of [...order, ...tree.transactions.keys()]) {
        const final = tree.transactions[index]
        if (!final) continue
        current = withStatus(current, index, final.status)
        const after = entriesOf(current)
        expect(after).toEqual(expect.arrayContaining(before))
        before = after
      }
      expect(before.toSorted()).toEqual(entriesOf(tree).toSorted())
      expect(rootOf(current)).toEqual(rootOf(tree))
    }),
  )
})
