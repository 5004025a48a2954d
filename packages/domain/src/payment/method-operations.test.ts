import { type BrandCode, brands, isBrand } from '@tollgate/contract'
import { describe, expect, test } from 'vitest'
import { paymentLimits } from '../limits.ts'
import { decide } from './decide.ts'
import { exampleTree, parseLine } from '../testing/example-tree.ts'
import {
  type MethodGroup,
  methodGroupOf,
  methodGroups,
  methodOperationOf,
  methodOperations,
  methodRefusal,
} from './method-operations.ts'
import { moves } from './moves.ts'
import { paymentTypes } from './transaction.ts'

const unsupported = '600.200.310'
const noIncrease = '700.100.700'
const encrypted = '100.150.100'

/** Each group and, in the order of the operations, '' for a supported operation or the code of the refusal. */
const rows: readonly (readonly [group: MethodGroup, ...codes: readonly string[]])[] = [
  // group, PA, DB, CD, CP, PA of PA, RV of PA, RV of DB or CP or RB, RF, RB, RG, createRegistration
  ['card', '', '', '', '', '', '', '', '', '', '', ''],
  ['encryptedCard', '', '', '', '', '', '', '', '', '700.500.004', encrypted, encrypted],
  ['bankAccount', unsupported, '', '', unsupported, noIncrease, unsupported, '', '', '', '', ''],
  ['virtualAccount', '', '', '', '', '', '', '', '', '', '', ''],
  ['giftCard', '', '', '', '', noIncrease, '', '', '', '', '', ''],
  ['redirectAccount', '', '', unsupported, '', '', '', '', '', unsupported, unsupported, ''],
  ['redirectWallet', '', '', unsupported, '', noIncrease, '', '', '', unsupported, unsupported, unsupported],
  ['redirectCredit', '', '', unsupported, '', noIncrease, '', '', '', unsupported, unsupported, unsupported],
  [
    'redirectTransfer',
    unsupported,
    '',
    unsupported,
    unsupported,
    noIncrease,
    unsupported,
    unsupported,
    '',
    unsupported,
    unsupported,
    unsupported,
  ],
  [
    'redirectPrepayment',
    '',
    '',
    unsupported,
    unsupported,
    noIncrease,
    '',
    unsupported,
    '',
    unsupported,
    unsupported,
    unsupported,
  ],
  [
    'redirectVoucher',
    unsupported,
    '',
    unsupported,
    unsupported,
    noIncrease,
    unsupported,
    unsupported,
    unsupported,
    unsupported,
    unsupported,
    unsupported,
  ],
]

test('every group is in the table', () => expect(rows.map(([group]) => group)).toEqual(methodGroups))

describe.each(rows.map(([group, ...codes]) => ({ group, codes })))('$group', ({ group, codes }) => {
  test.each(methodOperations.map((operation, index) => [operation, codes[index] ?? 'no row'] as const))(
    '%s has the refusal code %j',
    (operation, code) => {
      const refusal = methodRefusal(group, operation)
      expect(refusal?.code ?? '').toBe(code)
      if (refusal) expect(refusal.reason).not.toBe('')
    },
  )
})

/** Brands of each group except encryptedCard. */
const examples: readonly (readonly [group: MethodGroup, brand: BrandCode, redirected: boolean])[] = [
  ['card', 'VISA', false],
  ['card', 'APPLEPAY', false],
  ['bankAccount', 'DIRECTDEBIT_SEPA', false],
  ['bankAccount', 'CLIQ', false],
  ['virtualAccount', 'PAYPAL', false],
  ['giftCard', 'HEB_GIFT_CARD', false],
  ['redirectAccount', 'PAYPAL', true],
  ['redirectWallet', 'WECHAT_PAY', true],
  ['redirectWallet', 'PAYSAFECARD', true],
  ['redirectCredit', 'KLARNA_PAYMENTS_PAYLATER', true],
  ['redirectTransfer', 'SOFORTUEBERWEISUNG', true],
  ['redirectTransfer', 'IDEAL', true],
  ['redirectTransfer', 'BITCOIN', true],
  ['redirectPrepayment', 'PREPAYMENT', true],
  ['redirectVoucher', 'OXXO', true],
]

test.each(examples)('the group %s contains %s if redirected is %s', (group, brand, redirected) => {
  expect(methodGroupOf({ brand, redirected })).toBe(group)
})

test('encrypted cards have their own group; payments without a brand have the group of cards', () => {
  expect(methodGroupOf({ brand: 'VISA', encrypted: true })).toBe('encryptedCard')
  expect(methodGroupOf({ brand: null })).toBe('card')
})

test('redirected payments of brands with the flow async have a redirect group, other brands have none', () => {
  for (const brand of Object.keys(brands).filter(isBrand)) {
    const redirected = brands[brand].flow === 'async'
    expect([brand, methodGroupOf({ brand, redirected }).startsWith('redirect')]).toEqual([brand, redirected])
  }
})

test('every move except records of external events has an operation of connectors', () => {
  const recorded = paymentTypes.filter((type) => methodOperationOf(type) === undefined)
  expect(recorded).toEqual(['CB', 'CR', 'RC'])
  const operations = paymentTypes.flatMap((type) => [
    ...(moves[type].begin ? [methodOperationOf(type)] : []),
    ...Object.keys(moves[type].after).flatMap((before) =>
      paymentTypes
        .filter((referenced) => referenced === before)
        .map((referenced) => methodOperationOf(type, referenced)),
    ),
  ])
  const paymentOperations = methodOperations.filter(
    (operation) => operation !== 'register' && operation !== 'registerWithPayment',
  )
  expect(new Set(operations.filter((operation) => operation !== undefined))).toEqual(new Set(paymentOperations))
})

describe('the rules of payments refuse exactly the operations that the method does not support', () => {
  test.each(examples)('of the group %s: %s, redirected %s', (group, brand, redirected) => {
    const facts = redirected ? ({ redirected: true } as const) : {}
    const incremental = { incremental: true, isAccountAvailable: true }
    const rootDecision = (text: string) =>
      decide(undefined, undefined, { ...parseLine(text).command, brand, redirected }, paymentLimits)
    const followUpDecision = (root: string, text: string) => {
      const tree = exampleTree([root], { brand, facts })
      return decide(tree, '1', { ...parseLine(text).command, ...incremental, brand: undefined }, paymentLimits)
    }
    const decisions = {
      preauthorise: rootDecision('PA 92.00'),
      debit: rootDecision('DB 92.00'),
      credit: rootDecision('CD 92.00'),
      capture: followUpDecision('PA 92.00', 'CP 9.00'),
      increase: followUpDecision('PA 92.00', 'PA 9.00'),
      reverseHold: followUpDecision('PA 92.00', 'RV 92.00'),
      reverseCharge: followUpDecision('DB 92.00', 'RV 92.00'),
      refund: followUpDecision('DB 92.00', 'RF 9.00'),
      rebill: followUpDecision('DB 92.00', 'RB 9.00'),
    }
    for (const [operation, decision] of Object.entries(decisions)) {
      const methodOperation = methodOperations.find((name) => name === operation) ?? 'debit'
      expect([operation, decision]).toEqual([
        operation,
        methodRefusal(group, methodOperation) ?? expect.objectContaining({ kind: 'go' }),
      ])
    }
  })
})
