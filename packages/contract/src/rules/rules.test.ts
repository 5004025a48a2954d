import { describe, expect, test } from 'vitest'
import { checkForm } from '../check-form.ts'
import { decodeForm } from '../decode-form.ts'
import { findParameter, structureOf } from '../names.ts'
import { operations } from '../operations.ts'
import { sections } from '../sections.ts'
import { accountCases } from '../testing/account-cases.ts'
import { authenticationCases } from '../testing/authentication-cases.ts'
import {
  type Parameters,
  bank,
  browser,
  card,
  debit,
  entity,
  instruction,
  rebill,
  type RuleCases,
} from '../testing/rule-requests.ts'
import { rules } from './rules.ts'

const plan = { ...debit, registrationId: '0'.repeat(32) }
const soldItems = (...items: readonly (readonly [sellerId: string, totalAmount: string])[]): Parameters =>
  Object.assign(
    {},
    ...items.map(([sellerId, totalAmount], n) => ({
      [`cart.items[${n}].sellerId`]: sellerId,
      [`cart.items[${n}].totalAmount`]: totalAmount,
    })),
  )
const sellers = (...amounts: readonly (readonly [id: string, amount: string])[]): Parameters =>
  Object.assign(
    {},
    ...amounts.map(([id, amount], n) => ({
      [`marketPlace.sellers[${n}].id`]: id,
      [`marketPlace.sellers[${n}].amount`]: amount,
    })),
  )
const INSTRUCTION_NAMES = Object.keys(instruction('', '', ''))

/** The cases of each rule: requests, and the parameters that are reported as invalid. */
const table: RuleCases = {
  ...accountCases,
  ...authenticationCases,
  'reference-amount': [
    ['referToPayment', { ...entity, paymentType: 'CP' }, ['amount', 'currency']],
    ['referToPayment', { ...entity, paymentType: 'RF', amount: '1.00' }, ['currency']],
    ['referToPayment', { ...entity, paymentType: 'RF', amount: '1.00', currency: 'EUR' }, []],
    ['referToPayment', { ...entity, paymentType: 'RB' }, ['amount', 'currency']],
    ['referToPayment', { ...entity, paymentType: 'PA' }, ['amount', 'currency']],
    ['referToPayment', { ...entity, paymentType: 'CB' }, ['amount', 'currency']],
    ['referToPayment', { ...entity, paymentType: 'CR' }, ['amount', 'currency']],
    ['referToPayment', { ...entity, paymentType: 'RC' }, ['amount', 'currency']],
    ['referToPayment', { ...entity, paymentType: 'IV' }, []],
    ['referToPayment', { ...entity, paymentType: 'RV' }, []],
  ],
  'checkout-amount': [
    ['createCheckout', entity, ['amount', 'currency', 'paymentType']],
    ['createCheckout', { ...entity, createRegistration: 'true' }, []],
    ['createCheckout', { ...entity, createRegistration: 'true', amount: '1.00' }, ['currency', 'paymentType']],
    ['createCheckout', debit, []],
  ],
  'forex-pair': [
    ['createPayment', { ...card, 'forex.amount': '1.00' }, ['forex.currency']],
    ['createPayment', { ...card, 'forex.currency': 'EUR' }, ['forex.amount']],
    ['createPayment', { ...card, 'forex.amount': '1.00', 'forex.currency': 'EUR' }, []],
  ],
  'customer-name': [
    ['createPayment', { ...card, 'customer.ip': '203.0.113.7' }, ['customer.givenName', 'customer.surname']],
    ['createPayment', { ...card, 'customer.givenName': 'Jane' }, ['customer.surname']],
    ['createPayment', { ...card, 'shipping.customer.givenName': 'Jane' }, []],
  ],
  'identification-document': [
    [
      'createPayment',
      { ...card, ...browser, 'customer.identificationDocType': 'PASSPORT' },
      ['customer.identificationDocId'],
    ],
    [
      'createPayment',
      { ...card, ...browser, 'customer.identificationDocId': '12345678' },
      ['customer.identificationDocType'],
    ],
    [
      'createPayment',
      { ...card, 'shipping.customer.identificationDocId': '12345678' },
      ['shipping.customer.identificationDocType'],
    ],
    [
      'createPayment',
      { ...card, ...browser, 'customer.identificationDocId': '12345678', 'customer.identificationDocType': 'IDCARD' },
      [],
    ],
  ],
  'house-number': [
    ['createPayment', { ...card, 'billing.houseNumber2': 'b' }, ['billing.houseNumber1']],
    ['createPayment', { ...card, 'merchant.shipping.houseNumber2': 'b' }, ['merchant.shipping.houseNumber1']],
    ['createPayment', { ...card, 'shipping.houseNumber1': '1', 'shipping.houseNumber2': 'b' }, []],
  ],
  'street-name': [
    [
      'createPayment',
      { ...card, 'billing.street1': '12', 'billing.street2': '34' },
      ['billing.street1', 'billing.street2'],
    ],
    ['createPayment', { ...card, 'billing.street1': '12' }, ['billing.street1']],
    ['createPayment', { ...card, 'merchant.billing.street1': '1' }, ['merchant.billing.street1']],
    [
      'createPayment',
      { ...card, 'billing.street1': '12', 'billing.street2': 'a', 'billing.houseNumber1': '1' },
      ['billing.street1'],
    ],
    ['createPayment', { ...card, 'billing.street1': 'Main Street', 'billing.street2': '34' }, []],
    ['createPayment', { ...card, 'billing.street1': '12', 'billing.street2': 'b' }, []],
  ],
  'seller-amount': [
    [
      'createPayment',
      { ...card, ...soldItems(['a', '1.00'], ['b', '2.00'], ['a', '0.50']), ...sellers(['a', '1.50']) },
      [],
    ],
    [
      'createPayment',
      { ...card, ...soldItems(['a', '1.00'], ['b', '2.00'], ['a', '0.50']), ...sellers(['b', '2.00'], ['a', '1.00']) },
      ['marketPlace.sellers[1].amount'],
    ],
    [
      'payWithRegistration',
      { ...debit, ...soldItems(['a', '1.00']), ...sellers(['a', '0.50'], ['a', '0.50']) },
      ['marketPlace.sellers[0].amount', 'marketPlace.sellers[1].amount'],
    ],
    // The sum is exact, unlike that of floating-point numbers: 0.1 + 0.2.
    ['createPayment', { ...card, ...soldItems(['a', '0.10'], ['a', '0.20']), ...sellers(['a', '0.30']) }, []],
    // Incomplete data are not compared.
    ['createPayment', { ...card, ...sellers(['a', '1.00']) }, []],
    ['createPayment', { ...card, ...soldItems(['b', '1.00']), ...sellers(['a', '2.00']) }, []],
    ['createPayment', { ...card, 'cart.items[7].sellerId': 'a', ...sellers(['a', '2.00']) }, []],
    ['createPayment', { ...card, ...soldItems(['a', '1.00']), 'marketPlace.sellers[0].id': 'a' }, []],
  ],
  'shopper-custom-parameters': [
    ['payCheckout', { 'customParameters[note]': 'x' }, ['customParameters[note]']],
    ['registerCheckout', { 'customParameters[SHOPPER]': 'x' }, ['customParameters[SHOPPER]']],
    ['payCheckout', { 'customParameters[SHOPPER_note]': 'x' }, []],
    ['createCheckout', { ...debit, 'customParameters[note]': 'x' }, []],
  ],
  'standing-instruction-kind': [
    [
      'createPayment',
      { ...card, 'standingInstruction.mode': 'INITIAL' },
      ['standingInstruction.type', 'standingInstruction.source'],
    ],
    ['createPayment', { ...card, ...instruction('RECURRING', 'INITIAL', 'CIT') }, []],
    ['createPayment', { ...card, 'standingInstruction.frequency': '30' }, []],
    ['payWithRegistration', { ...debit, 'standingInstruction.recurringType': 'SUBSCRIPTION' }, INSTRUCTION_NAMES],
    ['payWithRegistration', { ...debit, 'standingInstruction.industryPractice': 'NO_SHOW' }, INSTRUCTION_NAMES],
    ['referToPayment', { ...entity, paymentType: 'RV', 'standingInstruction.mode': 'INITIAL' }, []],
  ],
  'initial-transaction': [
    [
      'createPayment',
      { ...card, ...instruction('UNSCHEDULED', 'REPEATED', 'MIT') },
      ['standingInstruction.initialTransactionId'],
    ],
    ['createPayment', { ...card, ...instruction('UNSCHEDULED', 'REPEATED', 'CIT') }, []],
    [
      'createPayment',
      { ...bank, 'bankAccount.iban': 'DE89370400440532013000', ...instruction('RECURRING', 'REPEATED', 'MIT') },
      [],
    ],
    ['payWithRegistration', { ...debit, ...instruction('UNSCHEDULED', 'REPEATED', 'MIT') }, []],
  ],
  'rebill-instruction': [
    [
      'referToPayment',
      { ...rebill, ...instruction('RECURRING', 'INITIAL', 'CIT') },
      ['standingInstruction.mode', 'standingInstruction.source'],
    ],
    ['referToPayment', { ...rebill, ...instruction('RECURRING', 'REPEATED', 'MIT') }, []],
    ['referToPayment', { ...rebill, 'standingInstruction.industryPractice': 'NO_SHOW' }, []],
  ],
  'industry-practice': [
    [
      'payWithRegistration',
      { ...debit, ...instruction('RECURRING', 'INITIAL', 'CIT'), 'standingInstruction.industryPractice': 'NO_SHOW' },
      ['standingInstruction.type', 'standingInstruction.mode', 'standingInstruction.source'],
    ],
    [
      'payWithRegistration',
      { ...debit, ...instruction('UNSCHEDULED', 'REPEATED', 'MIT'), 'standingInstruction.industryPractice': 'NO_SHOW' },
      [],
    ],
  ],
  'identification-of-brand': [
    [
      'createPayment',
      { ...debit, paymentBrand: 'BOLETO' },
      ['customer.identificationDocType', 'customer.identificationDocId'],
    ],
    [
      'createPayment',
      {
        ...debit,
        paymentBrand: 'EFECTY',
        'customer.givenName': 'Jane',
        'customer.surname': 'Jones',
        'customer.identificationDocType': 'IDCARD',
        'customer.identificationDocId': '12345678',
      },
      [],
    ],
    ['createPayment', { ...debit, paymentBrand: 'OXXO' }, []],
    ['referToPayment', { ...entity, paymentType: 'RF', amount: '1.00', currency: 'EUR', paymentBrand: 'BOLETO' }, []],
  ],
  'screening-ids': [
    [
      'createRedShieldCheck',
      { ...entity, amount: '92.00', currency: 'EUR', 'risk.channelId': 'TEASHOP', 'risk.serviceId': 'AB' },
      ['risk.channelId', 'risk.serviceId'],
    ],
    [
      'createRedShieldCheck',
      { ...entity, amount: '92.00', currency: 'EUR', 'risk.channelId': 'TEASHOP00EU1', 'risk.serviceId': 'B' },
      [],
    ],
    ['createRiskCheck', { ...entity, amount: '92.00', currency: 'EUR', 'risk.channelId': 'TEASHOP' }, []],
  ],
  'plan-secrets': [
    ['createSchedule', { ...plan, 'card.cvv': '123' }, ['card.cvv']],
    ['reschedule', { ...entity, 'giftCard.pin': '1234' }, ['giftCard.pin']],
    ['createSchedule', { ...plan, 'card.holder': 'Jane Jones' }, []],
    ['payWithRegistration', { ...debit, 'card.cvv': '123' }, []],
  ],
  'date-range': [
    ['queryPayments', { 'date.from': '2024-01-01 00:00:00' }, ['date.to']],
    ['queryPayments', { 'date.to': '2024-01-01 00:00:00' }, ['date.from']],
  ],
  'date-order': [
    ['queryPayments', { 'date.from': '2024-01-02 00:00:00', 'date.to': '2024-01-01 00:00:00' }, ['date.to']],
    ['getAggregations', { 'date.from': '2024-01-02', 'date.to': '2024-01-01' }, ['date.to']],
    ['getAggregations', { 'date.from': '2024-01-02', 'date.to': '2024-01-02' }, []],
  ],
  'report-range': [
    ['getAggregations', { 'date.from': '2024-01-01', 'date.to': '2025-02-04' }, ['date.to']],
    ['getAggregations', { 'date.from': '2024-01-01', 'date.to': '2025-02-03' }, []],
    ['getAggregationsPage', { 'date.from': '1900-01-01', 'date.to': '2099-12-31' }, ['date.to']],
    ['queryPayments', { 'date.from': '2000-01-01 00:00:00', 'date.to': '2024-01-02 00:00:00' }, []],
  ],
  'reference-or-range': [
    [
      'queryPayments',
      { merchantTransactionId: 'a', 'date.from': '2024-01-01 00:00:00', 'date.to': '2024-01-02 00:00:00' },
      ['merchantTransactionId'],
    ],
    ['queryPayments', { 'date.from': '2024-01-01 00:00:00', 'date.to': '2024-01-02 00:00:00' }, []],
  ],
}

test('every rule has a case that violates it, and no case names an unknown rule', () => {
  expect(Object.keys(table).toSorted()).toEqual(Object.keys(rules).toSorted())
  for (const [name, cases] of Object.entries(table))
    expect([name, cases.some(([, , wrong]) => wrong.length > 0)]).toEqual([name, true])
})

test('the parameters of every rule exist', () => {
  const unknown = Object.values(rules)
    .flatMap(({ parameters }) => parameters)
    .map((name) => name.replace('[n]', '[0]'))
    .filter((name) => !findParameter('payment', name) && !findParameter('query', name))
  expect(unknown).toEqual([])
})

test('the triggers of every rule are structures or parameters', () => {
  const names = sections.flatMap(({ rows }) => rows).map((row): string => row.name)
  const triggers = new Set([...names, ...names.map(structureOf)])
  expect(
    Object.values(rules)
      .flatMap((rule) => rule.triggers ?? [])
      .filter((trigger) => !triggers.has(trigger)),
  ).toEqual([])
})

describe.each(Object.entries(rules))('%s', (name, { strictOnly, parameters: reportable }) => {
  test.each(table[name] ?? [])('reports exactly the invalid parameters: %s %j', (operation, parameters, wrong) => {
    const reportedOn = (compatibility: 'strict' | 'legacy') => {
      const body = new TextEncoder().encode(new URLSearchParams(parameters).toString())
      const form = decodeForm(body, operations[operation].surface)
      return checkForm(form, operation, { compatibility }).map((error) => error.name)
    }
    expect(reportedOn('strict').toSorted()).toEqual(wrong.toSorted())
    const rowNames = (each: string) => [each, each.replace(/\[\d+\]/, '[n]'), each.replace(/\[.*\]/, '[name]')]
    expect(wrong.filter((each) => !reportable.some((row) => rowNames(each).includes(row)))).toEqual([])
    expect(reportedOn('legacy').toSorted()).toEqual(strictOnly ? [] : wrong.toSorted())
  })
})
