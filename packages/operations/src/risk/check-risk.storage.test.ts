import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cardWithoutPayment, otherMerchant, type Parameters, testGateway } from '@tollgate/gateway/testing'
import {
  amount,
  APPROVED,
  codeOf,
  codesOf,
  jane,
  PASSED,
  REJECTED,
  REVIEW,
  riskShop,
  setRules,
} from '../testing/risk-shop.ts'

const tollgate = await testGateway()
afterAll(() => tollgate.close())
const shop = (riskRules: object | undefined) => riskShop(tollgate, riskRules)

describe('a payment', () => {
  const scored = {
    reviewFrom: 100,
    rejectFrom: 200,
    rules: [
      { name: 'over 100', when: amount('100.00'), score: 100 },
      { name: 'over 200', when: amount('200.00'), score: 100 },
      {
        name: 'our tester',
        when: { kind: 'list', by: 'customer.email', values: ['Tester@jones.example'] },
        score: -50,
      },
    ],
  }

  let testShop: Awaited<ReturnType<typeof shop>>
  beforeAll(async () => {
    testShop = await shop(scored)
  })

  test.each<{ title: string; form: Parameters; status: number; code: string; score: string; hits?: string }>([
    { title: 'with a score below both bounds', form: {}, status: 200, code: APPROVED, score: '0' },
    {
      title: 'with the score of reviewFrom',
      form: { amount: '100.01' },
      status: 200,
      code: REVIEW,
      score: '100',
      hits: 'over 100',
    },
    {
      title: 'with the score of rejectFrom',
      form: { amount: '200.01' },
      status: 400,
      code: REJECTED,
      score: '200',
      hits: 'over 100, over 200',
    },
    {
      title: 'with a score that a list lowers',
      form: { amount: '100.01', 'customer.email': 'tester@Jones.example' },
      status: 200,
      code: APPROVED,
      score: '50',
      hits: 'over 100, our tester',
    },
    {
      title: 'with a score below zero',
      form: { 'customer.email': 'tester@jones.example' },
      status: 200,
      code: APPROVED,
      score: '-50',
      hits: 'our tester',
    },
    {
      title: 'with the score of reviewFrom, declined by the acquirer,',
      form: { amount: '100.01', 'customParameters[forceResultCode]': '800.100.151' },
      status: 400,
      code: '800.100.151',
      score: '100',
      hits: 'over 100',
    },
    { title: 'of type PA', form: { amount: '100.01', paymentType: 'PA' }, status: 200, code: REVIEW, score: '100' },
    { title: 'of type CD', form: { amount: '200.01', paymentType: 'CD' }, status: 400, code: REJECTED, score: '200' },
  ])('$title is answered with $code', async ({ form, status, code, score, hits }) => {
    const { pay, read } = testShop
    const paid = await pay(form)
    expect([paid.status, codeOf(paid), paid.body.risk.score]).toEqual([status, code, score])
    if (hits !== undefined) expect(paid.body.resultDetails.RiskHits).toBe(hits)
    const stored = await read(paid.body.id)
    expect([codeOf(stored), stored.body.risk, stored.body.resultDetails]).toEqual([
      code,
      paid.body.risk,
      paid.body.resultDetails,
    ])
  })

  test('that is rejected is not sent to the acquirer, and its number is not stored', async () => {
    const { pay, account, post } = testShop
    const { body } = await pay({ amount: '200.01', createRegistration: 'true' })
    expect(body).not.toHaveProperty('registrationId')
    expect(body.resultDetails).toEqual({
      ExtendedDescription: 'the risk check has rejected the payment',
      RiskHits: 'over 100, over 200',
    })
    expect((await account(body.id)).body).toMatchObject({ bin: '420000', fingerprint: null })
    expect(codeOf(await post(`/v1/payments/${body.id}`, { paymentType: 'RF', amount: '1.00', currency: 'EUR' }))).toBe(
      '700.300.200',
    )
  })

  test('that needs a review can be captured and registered', async () => {
    const { pay, post } = testShop
    const { body } = await pay({ amount: '100.01', paymentType: 'PA', createRegistration: 'true' })
    expect(body.registrationId).toMatch(/^[0-9a-f]{32}$/)
    const captured = await post(`/v1/payments/${body.id}`, { paymentType: 'CP', amount: '100.01', currency: 'EUR' })
    expect([codeOf(captured), captured.body.risk]).toEqual([APPROVED, undefined])
  })

  test('with a registration is checked too', async () => {
    const { pay, post, account } = testShop
    const { body } = await pay({ createRegistration: 'true' })
    const { fingerprint } = (await account(body.id)).body
    expect(fingerprint).toMatch(/^fpk-[0-9a-f]{8}:[0-9a-f]{64}$/)
    const form = { ...jane, paymentType: 'DB', amount: '100.01', currency: 'EUR' }
    expect(codeOf(await post(`/v1/registrations/${body.registrationId}/payments`, form))).toBe(REVIEW)
  })

  test('of an entity without rules has no score', async () => {
    const { pay } = await shop(undefined)
    const { body } = await pay({ 'risk.amount': '1.00', 'risk.parameters[tier]': 'gold' })
    expect([body.result.code, body.risk]).toEqual([APPROVED, { amount: '1.00', parameters: { tier: 'gold' } }])
  })

  test('that a rule of the channel refuses is not checked', async () => {
    const { pay } = testShop
    const { body } = await pay({ paymentType: 'CD', transactionProcessingCode: 'FUNDING' })
    expect([body.result.code, body.risk]).toEqual(['600.200.310', undefined])
  })
})

describe('parameters of the check', () => {
  const rules = {
    rules: [
      { name: 'over 100', when: amount('100.00'), verdict: 'review' },
      { name: 'brand', when: { kind: 'list', by: 'risk.brand', values: ['MAESTRO'] }, score: 1 },
      { name: 'detected', when: { kind: 'list', by: 'risk.brand', values: ['MASTER'] }, score: 2 },
      { name: 'tier', when: { kind: 'list', by: 'risk.parameters[tier]', values: ['gold'] }, score: 10 },
      { name: 'token', when: { kind: 'list', by: 'risk.accountToken', values: ['t'] }, score: 100 },
      { name: 'service', when: { kind: 'list', by: 'risk.serviceId', values: ['D'] }, score: 1000 },
      { name: 'old order', when: { kind: 'orderAge', aboveSeconds: 3600 }, score: 10_000 },
    ],
  }

  let testShop: Awaited<ReturnType<typeof shop>>
  beforeAll(async () => {
    testShop = await shop(rules)
  })

  test('are echoed, with defaults', async () => {
    const { pay } = testShop
    const { body } = await pay()
    expect(body.risk).toEqual({ score: '0', brand: 'VISA', orderTimestamp: '2026-05-04 03:02:01' })
    const sent = {
      amount: '92.00',
      brand: 'X',
      orderTimestamp: '2026-05-04 02:02:01',
      channelId: 'c',
      serviceId: 's',
      merchantWebsite: 'w',
      accountToken: 'u',
      parameters: { tier: 'silver' },
    }
    const flat = { ...sent, parameters: undefined, 'parameters[tier]': 'silver' }
    const form = Object.fromEntries(Object.entries(flat).map(([name, value]) => [`risk.${name}`, value]))
    expect((await pay(form)).body.risk).toEqual({ score: '0', ...sent })
  })

  test.each<{ form: Parameters; code: string; score?: string }>([
    { form: { 'risk.amount': '100.01' }, code: REVIEW, score: '0' },
    { form: { 'risk.amount': '91.99' }, code: '100.550.605' },
    { form: { 'risk.amount': '100.50', amount: '92.00', currency: 'JPY' }, code: '100.550.603' },
    { form: { 'risk.amount': '100' }, code: '200.300.404' },
    { form: { 'risk.brand': 'MAESTRO' }, code: APPROVED, score: '1' },
    {
      form: { paymentBrand: undefined, 'card.number': '5454545454545454', 'risk.amount': '92.00' },
      code: APPROVED,
      score: '2',
    },
    { form: { 'risk.parameters[tier]': 'gold' }, code: APPROVED, score: '10' },
    { form: { 'risk.accountToken': 't' }, code: APPROVED, score: '100' },
    { form: { 'risk.serviceId': 'D' }, code: APPROVED, score: '1000' },
    { form: { 'risk.orderTimestamp': '2026-05-04 02:02:00' }, code: APPROVED, score: '10000' },
    { form: { 'risk.orderTimestamp': '2026-05-04 25:00:00' }, code: '200.300.404' },
  ])('$form lead to $code', async ({ form, code, score }) => {
    const { pay } = testShop
    const { body } = await pay(form)
    expect([body.result.code, body.risk?.score]).toEqual([code, score])
  })
})

describe('lists', () => {
  const list = (by: string, ...values: string[]) => ({
    rules: [{ name: 'blocked', when: { kind: 'list', by, values }, verdict: 'reject' }],
  })

  test.each<{ by: string; value: string; form?: Parameters }>([
    { by: 'bin', value: '420000' },
    { by: 'customer.email', value: 'JANE@jones.example' },
    { by: 'emailDomain', value: 'jones.example' },
    { by: 'customer.ip', value: '192.0.2.1' },
    { by: 'country', value: 'FR', form: { 'shipping.country': 'fr' } },
    { by: 'risk.brand', value: 'VISA' },
  ])('by $by reject a payment with a listed value', async ({ by, value, form = {} }) => {
    const { pay } = await shop(list(by, value))
    expect(codeOf(await pay(form))).toBe(REJECTED)
    const otherCard = { 'card.number': '5454545454545454', paymentBrand: 'MASTER' }
    const otherCustomer = { 'customer.email': 'jo@other.example', 'customer.ip': '192.0.2.2', 'shipping.country': 'DE' }
    expect(codeOf(await pay({ ...otherCard, ...otherCustomer }))).toBe(APPROVED)
  })

  test('by fingerprint reject payments with a card or its registration, and checks of the card', async () => {
    const { merchant, pay, post, check, account } = await shop(undefined)
    const registered = await post('/v1/registrations', cardWithoutPayment())
    const { fingerprint } = (await account(registered.body.id)).body
    await setRules(tollgate, merchant.channel, list('fingerprint', fingerprint.toUpperCase()))
    expect(codeOf(await pay())).toBe(REJECTED)
    expect(codeOf(await pay({ 'card.number': '4111111111111111' }))).toBe(APPROVED)
    const form = { paymentType: 'DB', amount: '92.00', currency: 'EUR' }
    expect(codeOf(await post(`/v1/registrations/${registered.body.id}/payments`, form))).toBe(REJECTED)
    expect(codeOf(await check({ 'card.number': '4200000000000000' }))).toBe(REJECTED)
  })

  test('with the verdict accept override a score, but not a rejection', async () => {
    const alwaysScored = { name: 'always', when: amount('0'), score: 500 }
    const allowed = {
      name: 'allowed',
      when: { kind: 'list', by: 'customer.ip', values: ['192.0.2.1'] },
      verdict: 'accept',
    }
    const { merchant, pay } = await shop({ rejectFrom: 500, rules: [alwaysScored, allowed] })
    const { body } = await pay()
    expect([body.result.code, body.risk.score]).toEqual([APPROVED, '500'])
    await setRules(tollgate, merchant.merchant, { rules: [alwaysScored, allowed, ...list('bin', '420000').rules] })
    expect(codeOf(await pay())).toBe(REJECTED)
  })
})

describe('countries', () => {
  test('that differ lead to a review', async () => {
    const rule = {
      name: 'countries',
      when: { kind: 'countries', of: ['billing', 'shipping', 'account'] },
      verdict: 'review',
    }
    const { pay, check } = await shop({ rules: [rule] })
    expect(codeOf(await pay({ 'billing.country': 'DE', 'shipping.country': 'DE' }))).toBe(APPROVED)
    expect(codeOf(await pay({ 'billing.country': 'DE', 'shipping.country': 'FR' }))).toBe(REVIEW)
    const iban = { 'billing.country': 'DE', 'bankAccount.iban': 'NL91ABNA0417164300' }
    expect(codeOf(await check(iban))).toBe(REVIEW)
    expect(codeOf(await check({ ...iban, 'bankAccount.iban': 'DE89370400440532013000' }))).toBe(PASSED)
    expect(codeOf(await check({ 'billing.country': 'DE', 'bankAccount.country': 'NL' }))).toBe(REVIEW)
  })
})

describe('a parameter that could not be checked', () => {
  const cleared = Object.fromEntries(Object.keys(jane).map((name) => [name, undefined]))
  const tokens = ['walletA.paymentToken', 'walletB.paymentToken', 'walletC.paymentToken']

  test.each(tokens)('is refused if no other parameter can be checked, and the answer names it: %s', async (name) => {
    for (const rules of [undefined, { rules: [{ name: 'over 100', when: amount('100.00'), verdict: 'reject' }] }]) {
      const { check, read } = await shop(rules)
      const answer = await check({ ...cleared, paymentBrand: 'APPLEPAY', [name]: '{"data":"x"}' })
      expect([answer.status, codeOf(answer)]).toEqual([400, '600.200.201'])
      expect(answer.body.resultDetails.ExtendedDescription).toContain(name)
      expect(codeOf(await read(answer.body.id))).toBe('600.200.201')
    }
  })

  test.each<[string, Parameters]>([
    ...tokens.map((name): [string, Parameters] => [name, { [name]: '{"data":"x"}' }]),
    ['pos.encryptedSred.data', { 'pos.encryptedSred.data': 'A1', 'pos.entryMode': 'ICC', 'pos.terminalId': '1' }],
  ])('is named in the answer to the check of other parameters: %s', async (name, changes) => {
    const { check } = await shop({
      rules: [{ name: 'jane', when: { kind: 'list', by: 'customer.ip', values: ['192.0.2.1'] }, score: 7 }],
    })
    const { body } = await check(changes)
    expect([body.result.code, body.risk.score, body.resultDetails.NotChecked]).toEqual([PASSED, '7', name])
    expect(body.resultDetails.ExtendedDescription).toContain(name)
  })

  test.each<[string, Parameters]>([
    ['an order time', { 'risk.orderTimestamp': '2026-05-04 00:00:00' }],
    ['a country', { 'merchant.country': 'DE' }],
    ['a parameter for lists', { 'risk.parameters[tier]': 'gold' }],
  ])('is named in the answer to the check of %s', async (_label, changes) => {
    const { check } = await shop(undefined)
    const token = { 'walletA.paymentToken': '{"data":"x"}' }
    const { body } = await check({ ...cleared, ...token, ...changes })
    expect([body.result.code, body.resultDetails.NotChecked]).toEqual([PASSED, 'walletA.paymentToken'])
  })

  test('may be testMode EXTERNAL, because no external risk system is connected', async () => {
    const { check } = await shop({ rules: [{ name: 'over 1', when: amount('1.00'), verdict: 'review' }] })
    const { body } = await check({ testMode: 'EXTERNAL', 'card.number': '4111111111111111' })
    expect([body.result.code, body.resultDetails.NotChecked]).toEqual([REVIEW, 'testMode'])
    expect(body.resultDetails.ExtendedDescription).toContain('No external risk system')
    expect((await check({ testMode: 'INTERNAL' })).body.resultDetails.NotChecked).toBeUndefined()
  })

  test('may be the encrypted card of a payment at a terminal', async () => {
    const { merchant, pay } = await shop({ rules: [{ name: 'over 1', when: amount('1.00'), verdict: 'review' }] })
    await tollgate.manage('PATCH', `/entities/${merchant.channel}`, { settings: { pointOfSale: true } })
    const terminal = { 'pos.entryMode': 'ICC', 'pos.terminalId': '1', 'pos.encryptedSred.data': 'A1' }
    const { body } = await pay({ ...terminal, 'pos.encryptedSred.ksn': 'A2', 'card.number': undefined })
    expect([body.result.code, body.resultDetails.NotChecked]).toEqual([REVIEW, 'pos.encryptedSred.data'])
    expect((await pay({ testMode: 'EXTERNAL' })).body.resultDetails.NotChecked).toBeUndefined()
  })
})

test('a risk check ignores mandates and due dates', async () => {
  const rules = ['customer.ip', 'customer.email', 'risk.accountToken'].map((by) => ({
    name: by,
    when: {
      kind: 'list',
      by,
      values: by === 'customer.ip' ? ['192.0.2.9'] : by === 'customer.email' ? ['a@b'] : ['M'],
    },
    score: 1,
  }))
  const { check } = await shop({ rules })
  const mandate = { 'bankAccount.mandate.id': 'M', 'bankAccount.mandate.dateOfSignature': '2026-01-01' }
  const { body } = await check({ ...mandate, transactionDueDate: '2026-06-01' })
  expect([body.result.code, body.risk.score]).toEqual([PASSED, '0'])
})

describe('a risk channel', () => {
  const rules = (name: string, above: string, verdict: string) => [{ name, when: amount(above), verdict }]
  const ruleSet = {
    rules: rules('configured', '100.00', 'reject'),
    overrides: [
      { channelId: 'TEASHOP00EU1', serviceId: 'B', rules: [] },
      { channelId: 'TEASHOP00EU1', rules: rules('of the tea shop', '10.00', 'reject') },
    ],
  }

  test('replaces the configured rules by its own', async () => {
    const { pay, check } = await shop(ruleSet)
    const teaShop = { 'risk.channelId': 'TEASHOP00EU1' }
    expect(codeOf(await pay())).toBe(APPROVED)
    const rejected = await pay(teaShop)
    expect([codeOf(rejected), rejected.body.resultDetails.RiskHits]).toEqual([REJECTED, 'of the tea shop'])
    expect(codeOf(await pay({ ...teaShop, 'risk.serviceId': 'B', amount: '920.00' }))).toBe(APPROVED)
    expect(codeOf(await pay({ amount: '920.00' }))).toBe(REJECTED)
    expect(await codesOf([check(), check(teaShop)])).toEqual([PASSED, REJECTED])
  })

  test('is refused if only other risk channels have rules, and the answer names the parameter', async () => {
    const { pay } = await shop(ruleSet)
    const answer = await pay({ 'risk.channelId': 'OTHERSHOP001' })
    expect([answer.status, codeOf(answer)]).toEqual([400, '200.300.404'])
    expect(answer.body.resultDetails.ExtendedDescription).toContain('risk.channelId')
  })

  test.each([
    [{ rules: [], overrides: [{ rules: [] }] }, /overrides\/0 must have a channelId, a serviceId or both/],
    [
      { rules: [], overrides: [{ channelId: 'x', reviewFrom: 2, rejectFrom: 1, rules: [] }] },
      /overrides\/0\/reviewFrom/,
    ],
    [{ rules: [], overrides: Array.from({ length: 21 }, () => ({ channelId: 'x', rules: [] })) }, /overrides/],
  ])('cannot be configured with invalid overrides: %j', async (riskRules, message) => {
    const merchant = await otherMerchant(tollgate)
    const answer = await tollgate.manage('PUT', `/entities/${merchant.merchant}/risk-rules`, riskRules)
    expect(answer.status).toBe(400)
    expect(answer.body.error.message).toMatch(message)
  })

  test('of POST /v2/redShield must have 12 characters, and risk.serviceId 1', async () => {
    const { post } = await shop(undefined)
    const screen = (channelId: string, serviceId: string) =>
      post('/v2/redShield', {
        amount: '9.00',
        currency: 'EUR',
        'risk.channelId': channelId,
        'risk.serviceId': serviceId,
      })
    expect(codeOf(await screen('TEASHOP00EU1', 'B'))).toBe(PASSED)
    const { body } = await screen('TEASHOP', 'BB')
    expect(body.result.parameterErrors.map(({ name }: { name: string }) => name)).toEqual([
      'risk.channelId',
      'risk.serviceId',
    ])
  })
})
