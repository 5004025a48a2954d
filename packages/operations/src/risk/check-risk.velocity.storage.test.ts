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
const slow = slowStorage(stored)
/** The number of next commits with velocity entries that fail with a version conflict. */
let conflictsLeft = 0
const tollgate = await testGateway({
  storage: {
    ...slow,
    commit(unit) {
      // Only commits with velocity entries conflict.
      if (!unit.rows.velocity?.length) return stored.commit(unit)
      if (conflictsLeft === 0) return slow.commit(unit)
      conflictsLeft -= 1
      return Promise.resolve({ kind: 'stale' })
    },
  },
})
afterAll(() => tollgate.close())
const shop = (riskRules: object | undefined) => riskShop(tollgate, riskRules)

describe('velocity', () => {
  const counting = (by: string, above = 2, withinSeconds = 3600) => ({
    rules: [{ name: 'too many', when: { kind: 'count', by, above, withinSeconds }, verdict: 'reject' }],
  })
  const summing = {
    rules: [
      {
        name: 'too much',
        when: { kind: 'sum', by: 'customer.email', currency: 'EUR', above: '200.00', withinSeconds: 3600 },
        verdict: 'reject',
      },
    ],
  }

  test.each<{ by: string; other: Parameters }>([
    { by: 'fingerprint', other: { 'card.number': '4111111111111111' } },
    { by: 'customer.ip', other: { 'customer.ip': '192.0.2.2' } },
    { by: 'customer.email', other: { 'customer.email': 'jo@jones.example' } },
    { by: 'customer.merchantCustomerId', other: { 'customer.merchantCustomerId': 'jo' } },
  ])('counts by $by within the window', async ({ by, other }) => {
    const { pay } = await shop(counting(by))
    const codes = []
    for (const form of [{}, {}, other, {}, other]) codes.push(codeOf(await pay(form)))
    expect(codes).toEqual([APPROVED, APPROVED, APPROVED, REJECTED, APPROVED])
    tollgate.clock.nowMs += HOUR_MS
    expect(codeOf(await pay())).toBe(APPROVED)
  })

  test('counts a bank account by its IBAN in upper and lower case', async () => {
    const { check } = await shop(counting('fingerprint', 1))
    const withIban = (iban: string) => check({ 'bankAccount.iban': iban })
    expect(codeOf(await withIban('DE89370400440532013000'))).toBe(PASSED)
    expect(codeOf(await withIban('NL91ABNA0417164300'))).toBe(PASSED)
    expect(codeOf(await withIban('de89370400440532013000'))).toBe(REJECTED)
  })

  test('counts each payment of a card once while its fingerprint key is rotated', async () => {
    const { pay } = await shop(counting('fingerprint', 3))
    const before = [await pay(), await pay()]
    await tollgate.gateway.keys.rotate('fingerprint')
    const after = [await pay(), await pay()]
    expect([...before, ...after].map(codeOf)).toEqual([APPROVED, APPROVED, APPROVED, REJECTED])
  })

  test('counts declined and rejected payments', async () => {
    const { pay } = await shop(counting('customer.ip', 1))
    expect(codeOf(await pay({ 'customParameters[forceResultCode]': '800.100.151' }))).toBe('800.100.151')
    expect(codeOf(await pay())).toBe(REJECTED)
    expect(codeOf(await pay())).toBe(REJECTED)
  })

  test('approves no more payments than the rule allows if they are concurrent', async () => {
    const { pay } = await shop(counting('fingerprint', 3))
    const codes = await codesOf(Array.from({ length: 20 }, () => pay()))
    expect(codes.filter((code) => code === APPROVED)).toHaveLength(3)
    expect(codes.filter((code) => code === REJECTED)).toHaveLength(17)
  })

  test('counts a request once that is repeated with its Idempotency-Key', async () => {
    const { pay } = await shop(counting('customer.ip', 1))
    const again = () => pay({}, { 'idempotency-key': 'one' })
    expect(await codesOf([again(), again()])).toEqual([APPROVED, APPROVED])
    expect(codeOf(await again())).toBe(APPROVED)
    expect(codeOf(await pay())).toBe(REJECTED)
  })

  test('counts a payment once that is decided again after a version conflict', async () => {
    const { pay, check } = await shop(counting('customer.ip', 1))
    conflictsLeft = 4
    expect(codeOf(await pay())).toBe(APPROVED)
    conflictsLeft = 4
    expect(codeOf(await check())).toBe(PASSED)
    expect(await codesOf([pay(), check()])).toEqual([REJECTED, REJECTED])
  })

  test('sums the approved amounts of the same currency', async () => {
    const { pay } = await shop(summing)
    const codes = []
    const declined = { amount: '50.00', 'customParameters[forceResultCode]': '800.100.151' }
    for (const form of [{ amount: '100.00' }, declined, { amount: '150.00', currency: 'USD' }, { amount: '100.00' }]) {
      codes.push(codeOf(await pay(form)))
    }
    expect(codes).toEqual([APPROVED, '800.100.151', APPROVED, APPROVED])
    expect(codeOf(await pay({ amount: '0.01' }))).toBe(REJECTED)
  })

  test('counts payments, payouts and checks separately, for each merchant', async () => {
    const { merchant, pay, check } = await shop(counting('customer.email', 1))
    expect(codeOf(await pay())).toBe(APPROVED)
    expect(codeOf(await pay({ paymentType: 'CD' }))).toBe(APPROVED)
    expect(codeOf(await check())).toBe(PASSED)
    expect(await codesOf([pay({ paymentType: 'PA' }), pay({ paymentType: 'CD' }), check()])).toEqual([
      REJECTED,
      REJECTED,
      REJECTED,
    ])
    const other = await otherMerchant(tollgate)
    await setRules(tollgate, other.channel, counting('customer.email', 1))
    const headers = { authorization: `Bearer ${other.token}`, 'content-type': FORM }
    const payload = formOf({ entityId: other.channel, ...cardPayment(jane) })
    expect(codeOf(await tollgate.request({ method: 'POST', url: '/v1/payments', headers, payload }))).toBe(APPROVED)
    expect(merchant.merchant).not.toBe(other.merchant)
  })

  test('ignores payments without the counted parameter', async () => {
    const { pay } = await shop(counting('customer.ip', 0))
    expect(codeOf(await pay({ 'customer.ip': undefined }))).toBe(APPROVED)
    expect(codeOf(await pay())).toBe(REJECTED)
  })
})
