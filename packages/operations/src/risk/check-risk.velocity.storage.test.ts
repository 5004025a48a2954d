import { HOUR_MS } from '@tollgate/contract'
import { afterAll, describe, expect, test } from 'vitest'
import {
  cardPayment,
  formOf,
  otherMerchant,
  FORM,
  type Parameters,
  slowStorage,
  testGateway,
  testStorage,
} from '@tollgate/gateway/testing'
import { APPROVED, codeOf, codesOf, jane, PASSED, REJECTED, setRules, riskShop } from '../testing/risk-shop.ts'

const stored = await testStorage()
const slowCommits = slowStorage(stored)
/** The number of commits with velocity entries that will still fail with a version conflict. */
let conflictsLeft = 0
const tollgate = await testGateway({
  storage: {
    ...slowCommits,
    commit(unit) {
      if (!unit.rows.velocity?.length) return stored.commit(unit)
      if (conflictsLeft === 0) return slowCommits.commit(unit)
      conflictsLeft -= 1
      return Promise.resolve({ kind: 'stale' })
    },
  },
})
afterAll(() => tollgate.close())
const shop = (riskRules: object | undefined) => riskShop(tollgate, riskRules)

describe('velocity', () => {
  const countRule = (by: string, above = 2, withinSeconds = 3600) => ({
    rules: [{ name: 'too many', when: { kind: 'count', by, above, withinSeconds }, verdict: 'reject' }],
  })
  const sumRule = {
    rules: [
      {
        name: 'too much',
        when: { kind: 'sum', by: 'customer.email', currency: 'EUR', above: '200.00', withinSeconds: 3600 },
        verdict: 'reject',
      },
    ],
  }

  test.each<{ by: string; otherValue: Parameters }>([
    { by: 'fingerprint', otherValue: { 'card.number': '4111111111111111' } },
    { by: 'customer.ip', otherValue: { 'customer.ip': '192.0.2.2' } },
    { by: 'customer.email', otherValue: { 'customer.email': 'jo@jones.example' } },
    { by: 'customer.merchantCustomerId', otherValue: { 'customer.merchantCustomerId': 'jo' } },
  ])('counts by $by within the window', async ({ by, otherValue }) => {
    const { pay } = await shop(countRule(by))
    const codes = []
    for (const form of [{}, {}, otherValue, {}, otherValue]) codes.push(codeOf(await pay(form)))
    expect(codes).toEqual([APPROVED, APPROVED, APPROVED, REJECTED, APPROVED])
    tollgate.clock.nowMs += HOUR_MS
    expect(codeOf(await pay())).toBe(APPROVED)
  })

  test('counts a bank account by its IBAN in upper and lower case', async () => {
    const { check } = await shop(countRule('fingerprint', 1))
    const withIban = (iban: string) => check({ 'bankAccount.iban': iban })
    expect(codeOf(await withIban('DE89370400440532013000'))).toBe(PASSED)
    expect(codeOf(await withIban('NL91ABNA0417164300'))).toBe(PASSED)
    expect(codeOf(await withIban('de89370400440532013000'))).toBe(REJECTED)
  })

  test('counts each payment of a card once while its fingerprint key is rotated', async () => {
    const { pay } = await shop(countRule('fingerprint', 3))
    const before = [await pay(), await pay()]
    await tollgate.gateway.keys.rotate('fingerprint')
    const after = [await pay(), await pay()]
    expect([...before, ...after].map(codeOf)).toEqual([APPROVED, APPROVED, APPROVED, REJECTED])
  })

  test('counts declined and rejected payments', async () => {
    const { pay } = await shop(countRule('customer.ip', 1))
    expect(codeOf(await pay({ 'customParameters[forceResultCode]': '800.100.151' }))).toBe('800.100.151')
    expect(codeOf(await pay())).toBe(REJECTED)
    expect(codeOf(await pay())).toBe(REJECTED)
  })

  test('limits concurrent payments to the number that the rule allows', async () => {
    const { pay } = await shop(countRule('fingerprint', 3))
    const codes = await codesOf(Array.from({ length: 20 }, () => pay()))
    expect(codes.filter((code) => code === APPROVED)).toHaveLength(3)
    expect(codes.filter((code) => code === REJECTED)).toHaveLength(17)
  })

  test('counts a request that is repeated with its Idempotency-Key only once', async () => {
    const { pay } = await shop(countRule('customer.ip', 1))
    const repeat = () => pay({}, { 'idempotency-key': 'one' })
    expect(await codesOf([repeat(), repeat()])).toEqual([APPROVED, APPROVED])
    expect(codeOf(await repeat())).toBe(APPROVED)
    expect(codeOf(await pay())).toBe(REJECTED)
  })

  test('counts a payment that is decided again after a version conflict only once', async () => {
    const { pay, check } = await shop(countRule('customer.ip', 1))
    conflictsLeft = 4
    expect(codeOf(await pay())).toBe(APPROVED)
    conflictsLeft = 4
    expect(codeOf(await check())).toBe(PASSED)
    expect(await codesOf([pay(), check()])).toEqual([REJECTED, REJECTED])
  })

  test('sums the approved amounts of the same currency', async () => {
    const { pay } = await shop(sumRule)
    const codes = []
    const declined = { amount: '50.00', 'customParameters[forceResultCode]': '800.100.151' }
    for (const form of [{ amount: '100.00' }, declined, { amount: '150.00', currency: 'USD' }, { amount: '100.00' }]) {
      codes.push(codeOf(await pay(form)))
    }
    expect(codes).toEqual([APPROVED, '800.100.151', APPROVED, APPROVED])
    expect(codeOf(await pay({ amount: '0.01' }))).toBe(REJECTED)
  })

  test('counts payments, payouts and checks separately, for each merchant', async () => {
    const { merchant, pay, check } = await shop(countRule('customer.email', 1))
    expect(codeOf(await pay())).toBe(APPROVED)
    expect(codeOf(await pay({ paymentType: 'CD' }))).toBe(APPROVED)
    expect(codeOf(await check())).toBe(PASSED)
    expect(await codesOf([pay({ paymentType: 'PA' }), pay({ paymentType: 'CD' }), check()])).toEqual([
      REJECTED,
      REJECTED,
      REJECTED,
    ])
    const other = await otherMerchant(tollgate)
    await setRules(tollgate, other.channel, countRule('customer.email', 1))
    const headers = { authorization: `Bearer ${other.token}`, 'content-type': FORM }
    const payload = formOf({ entityId: other.channel, ...cardPayment(jane) })
    expect(codeOf(await tollgate.request({ method: 'POST', url: '/v1/payments', headers, payload }))).toBe(APPROVED)
    expect(merchant.merchant).not.toBe(other.merchant)
  })

  test('ignores payments without the counted parameter', async () => {
    const { pay } = await shop(countRule('customer.ip', 0))
    expect(codeOf(await pay({ 'customer.ip': undefined }))).toBe(APPROVED)
    expect(codeOf(await pay())).toBe(REJECTED)
  })
})
