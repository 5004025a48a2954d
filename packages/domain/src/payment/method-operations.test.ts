import { type BrandCode, brands, isBrand } from '@tollgate/contract'
import { describe, expect, test } from 'vitest'
import { paymentLimits } from '../limits.ts'
import { decide } from './decide.ts'
import { exampleTree, line } from '../testing/example-tree.ts'
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

/** Each group and, in the order of the operations, '' for a supported one or the code of the refusal. */
const rows: readonly (readonly [group: MethodGroup, ...codes: readonly string[]])[] = [
  // group, PA, DB, CD, CP, PA of PA, RV of PA, RV of DB and CP, RF, RB, RG, createRegistration
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
    '%s: %s',
    (operation, code) => {
      const refusal = methodRefusal(group, operation)
      expect(refusal?.code ?? '').toBe(code)
      if (refusal) expect(refusal.reason).not.toBe('')
    },
  )
})

/** An example of each group. */
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

test.each(examples)('%s: %s, redirected %s', (group, brand, redirected) => {
  expect(methodGroupOf({ brand, redirected })).toBe(group)
})

test('encrypted cards have a group of their own, and payments without a brand that of cards', () => {
  expect(methodGroupOf({ brand: 'VISA', encrypted: true })).toBe('encryptedCard')
  expect(methodGroupOf({ brand: null })).toBe('card')
})

test('the redirect groups contain exactly the redirected brands', () => {
  for (const brand of Object.keys(brands).filter(isBrand)) {
    const redirected = brands[brand].flow === 'async'
    expect([brand, methodGroupOf({ brand, redirected }).startsWith('redirect')]).toEqual([brand, redirected])
  }
})

test('every move except records of external events is an operation', () => {
  const recorded = paymentTypes.filter((type) => methodOperationOf(type) === undefined)
  expect(recorded).toEqual(['CB', 'CR', 'RC'])
  const found = paymentTypes.flatMap((type) => [
    ...(moves[type].begin ? [methodOperationOf(type)] : []),
    ...Object.keys(moves[type].after).flatMap((before) =>
      paymentTypes.filter((one) => one === before).map((one) => methodOperationOf(type, one)),
    ),
  ])
  const paymentOperations = methodOperations.filter((one) => one !== 'register' && one !== 'registerWithPayment')
  expect(new Set(found.filter((one) => one !== undefined))).toEqual(new Set(paymentOperations))
})

describe('the rules of payments refuse operations that the method does not support', () => {
  test.each(examples)('%s: %s, redirected %s', (group, brand, redirected) => {
    const facts = redirected ? ({ redirected: true } as const) : {}
    const incremental = { incremental: true, accountAvailable: true }
    const rootDecision = (text: string) =>
      decide(undefined, undefined, { ...line(text).command, brand, redirected }, paymentLimits)
    const followUpDecision = (root: string, text: string) => {
      const tree = exampleTree([root], { brand, facts })
      return decide(tree, '1', { ...line(text).command, ...incremental, brand: undefined }, paymentLimits)
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
      const method = methodOperations.find((one) => one === operation) ?? 'debit'
      expect([operation, decision]).toEqual([
        operation,
        methodRefusal(group, method) ?? expect.objectContaining({ kind: 'go' }),
      ])
    }
  })
})
