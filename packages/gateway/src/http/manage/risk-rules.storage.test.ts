import { memoryDisk, openMemory } from '@tollgate/storage'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { limits, sandboxIds } from '@tollgate/operations'
import { otherMerchant } from '../../testing/other-merchant.ts'
import { cardWithoutPayment, cardPayment, testGateway, type TestGateway } from '../../testing/test-gateway.ts'

const tollgate = await testGateway()
afterAll(() => tollgate.close())
const { manage, send } = tollgate

const UNKNOWN_ID = '0'.repeat(32)
const path = (id: string) => `/entities/${id}/risk-rules`
const big = { name: 'big', when: { kind: 'amount', currency: 'EUR', above: '500.00' }, score: 250 }

/** A fingerprint of no card, under an existing key. */
const unusedFingerprint = ({ gateway }: TestGateway) =>
  `${gateway.vault.keyIds().fingerprint.current}:${'ab'.repeat(32)}`

/** A rule of every kind, and a second list. */
const rulesOfEveryKind = (target: TestGateway) => ({
  reviewFrom: 100,
  rejectFrom: 500,
  rules: [
    big,
    { name: 'count', when: { kind: 'count', by: 'fingerprint', above: 3, withinSeconds: 3600 }, score: 100 },
    {
      name: 'sum',
      when: { kind: 'sum', by: 'customer.email', currency: 'JPY', above: '50000', withinSeconds: 86400 },
      score: -99_999,
    },
    { name: 'countries', when: { kind: 'countries', of: ['billing', 'shipping'] }, verdict: 'review' },
    { name: 'list', when: { kind: 'list', by: 'fingerprint', values: [unusedFingerprint(target)] }, verdict: 'reject' },
    { name: 'own list', when: { kind: 'list', by: 'risk.parameters[tier]', values: ['gold'] }, verdict: 'accept' },
    { name: 'order age', when: { kind: 'orderAge', aboveSeconds: 86400 }, score: 10 },
  ],
})
const everyKind = rulesOfEveryKind(tollgate)

describe('the rules of an entity', () => {
  test('are set, read and removed, and apply to entities below it that have no rules of their own', async () => {
    const { psp, division, merchant, channel } = await otherMerchant(tollgate)
    const appliedRules = async (id: string) => (await manage('GET', path(id))).body
    expect(await appliedRules(channel)).toEqual({ entityId: channel, setFor: null, riskRules: null })

    const set = await manage('PUT', path(psp), everyKind)
    expect([set.status, set.body]).toEqual([200, { entityId: psp, setFor: psp, riskRules: everyKind }])
    expect(await appliedRules(psp)).toEqual(set.body)
    for (const id of [division, merchant, channel]) expect(await appliedRules(id)).toMatchObject({ setFor: psp })

    const nearer = { rules: [big] }
    expect((await manage('PUT', path(merchant), nearer)).body).toMatchObject({ setFor: merchant, riskRules: nearer })
    expect(await appliedRules(channel)).toMatchObject({ setFor: merchant, riskRules: nearer })
    expect(await appliedRules(division)).toMatchObject({ setFor: psp })

    expect((await manage('PUT', path(channel), { rules: [] })).body).toMatchObject({ setFor: channel })
    expect((await manage('DELETE', path(channel))).body).toMatchObject({ setFor: merchant, riskRules: nearer })
    expect((await manage('DELETE', path(merchant))).body).toMatchObject({ setFor: psp, riskRules: everyKind })
    expect((await manage('DELETE', path(psp))).body).toMatchObject({ setFor: null, riskRules: null })
    expect((await manage('DELETE', path(psp))).status).toBe(200)
  })

  test('are kept after a restart', async () => {
    const data = mkdtempSync(join(tmpdir(), 'tollgate-risk-'))
    const disk = memoryDisk()
    const first = await testGateway({ storage: openMemory(disk), data })
    const rules = rulesOfEveryKind(first)
    await first.manage('PUT', path(sandboxIds.merchant), rules)
    await first.manage('PUT', path(sandboxIds.channel), { rules: [] })
    await first.manage('DELETE', path(sandboxIds.channel))
    await first.close()
    const second = await testGateway({ storage: openMemory(disk), data })
    const { body } = await second.manage('GET', path(sandboxIds.channel))
    expect(body).toEqual({ entityId: sandboxIds.channel, setFor: sandboxIds.merchant, riskRules: rules })
    await second.close()
    rmSync(data, { recursive: true })
  })

  test('are accepted up to their maximum number and length', async () => {
    const values = Array.from({ length: limits.riskListMax }, (_, index) => `10.0.${index >> 8}.${index & 255}`)
    const rules = Array.from({ length: limits.riskRulesMax }, (_, index) => ({
      name: `${index}`.padEnd(limits.riskNameCharsMax, '-'),
      when: index === 0 ? { kind: 'list', by: 'customer.ip', values } : big.when,
      score: 99_999,
    }))
    expect((await manage('PUT', path(sandboxIds.secureChannel), { rules })).status).toBe(200)
    await manage('DELETE', path(sandboxIds.secureChannel))
  })
})

describe('invalid requests', () => {
  const ruleWith = (changes: object) => ({ rules: [{ ...big, ...changes }] })
  const ruleWhen = (condition: object) => ruleWith({ when: condition })
  const countCondition = { kind: 'count', by: 'customer.ip', above: 3, withinSeconds: 3600 }
  const listRule = (by: string, ...values: string[]) => ruleWhen({ kind: 'list', by, values })

  test.each<{ body: object; message: string }>([
    { body: {}, message: "body must have required property 'rules'" },
    { body: { rules: [], colour: 'red' }, message: 'body must NOT have additional properties (colour)' },
    { body: { rules: [], reviewFrom: 1.5 }, message: 'body/reviewFrom must be integer' },
    { body: { rules: [], rejectFrom: 100_000 }, message: 'body/rejectFrom must be <= 99999' },
    {
      body: { rules: [], reviewFrom: 2, rejectFrom: 1 },
      message: 'body/reviewFrom must not be greater than rejectFrom',
    },
    { body: { rules: Array.from({ length: 51 }, () => big) }, message: 'body/rules must NOT have more than 50 items' },
    { body: { rules: [big, big] }, message: 'body/rules/1/name must not be that of another rule' },
    {
      body: ruleWith({ name: 'a, b' }),
      message: 'body/rules/0/name must match pattern "^[A-Za-z0-9][A-Za-z0-9 _.-]*$"',
    },
    { body: ruleWith({ name: 'x'.repeat(33) }), message: 'body/rules/0/name must NOT have more than 32 characters' },
    { body: ruleWith({ score: undefined }), message: 'body/rules/0 must have either a score or a verdict' },
    { body: ruleWith({ verdict: 'reject' }), message: 'body/rules/0 must have either a score or a verdict' },
    {
      body: ruleWith({ score: undefined, verdict: 'no' }),
      message: 'body/rules/0/verdict must be one of accept, review, reject',
    },
    { body: ruleWith({ score: -100_000 }), message: 'body/rules/0/score must be >= -99999' },
    { body: ruleWith({ when: undefined }), message: "body/rules/0 must have required property 'when'" },
    {
      body: ruleWhen({ kind: 'moon' }),
      message: 'body/rules/0/when/kind must be one of amount, count, sum, countries, list, orderAge',
    },
    { body: ruleWhen({ kind: 'amount' }), message: 'body/rules/0/when must have required properties currency, above' },
    { body: ruleWhen({ ...big.when, below: '1.00' }), message: 'body/rules/0/when must not have below' },
    { body: ruleWhen({ ...big.when, above: 500 }), message: 'body/rules/0/when/above must be string' },
    {
      body: ruleWhen({ ...big.when, currency: 'JPY', above: '1.50' }),
      message: 'body/rules/0/when/above: JPY has no decimals: the two decimals must be 00',
    },
    { body: ruleWhen({ ...countCondition, above: 1000 }), message: 'body/rules/0/when/above must be <= 999' },
    {
      body: ruleWhen({ ...countCondition, withinSeconds: 0 }),
      message: 'body/rules/0/when/withinSeconds must be >= 1',
    },
    {
      body: ruleWhen({ ...countCondition, withinSeconds: 30 * 86_400 + 1 }),
      message: 'body/rules/0/when/withinSeconds must be <= 2592000',
    },
    {
      body: ruleWhen({ ...countCondition, by: 'card.number' }),
      message:
        'body/rules/0/when/by must be one of fingerprint, customer.ip, customer.email, customer.merchantCustomerId',
    },
    {
      body: ruleWhen({ kind: 'countries', of: ['billing'] }),
      message: 'body/rules/0/when/of must not have fewer than 2 items',
    },
    {
      body: ruleWhen({ kind: 'countries', of: ['billing', 'billing'] }),
      message: 'body/rules/0/when/of must not have duplicate items',
    },
    {
      body: listRule('card.number', '4200000000000000'),
      message:
        'body/rules/0/when/by must be one of fingerprint, bin, customer.email, emailDomain, customer.ip, country, ' +
        'risk.brand, risk.channelId, risk.serviceId, risk.merchantWebsite, risk.accountToken, or risk.parameters[name]',
    },
    { body: listRule('bin'), message: 'body/rules/0/when/values must not have fewer than 1 items' },
    {
      body: listRule('bin', '420000', '4200000000000000'),
      message: 'body/rules/0/when/values/1 must be the first six digits of card numbers',
    },
    {
      body: listRule('fingerprint', '4200000000000000'),
      message: 'body/rules/0/when/values/0 must be a fingerprint: the id of its key, a colon and 64 hexadecimal digits',
    },
    {
      body: listRule('fingerprint', `fpk-gone:${'ab'.repeat(32)}`),
      message: 'body/rules list fingerprints of fpk-gone, whose keys are retired: replace them',
    },
    { body: listRule('customer.ip', '4200000000000000'), message: 'body/rules/0/when/values/0 must be an IP address' },
    {
      body: listRule('customer.email', 'jones.example'),
      message: 'body/rules/0/when/values/0 must be an e-mail address',
    },
    {
      body: listRule('emailDomain', 'jane@jones.example'),
      message: 'body/rules/0/when/values/0 must be the domain of e-mail addresses',
    },
    {
      body: listRule('country', 'ZZ'),
      message: 'body/rules/0/when/values/0 must be a country of ISO 3166-1 (2 letters)',
    },
  ])('$message', async ({ body, message }) => {
    const answer = await manage('PUT', path(sandboxIds.mastercardChannel), body)
    expect([answer.status, answer.body]).toEqual([400, { error: { status: 400, message } }])
    expect((await manage('GET', path(sandboxIds.mastercardChannel))).body.riskRules).toBeNull()
  })

  test.each(['GET', 'PUT', 'DELETE'] as const)('%s of an unknown entity is refused with 404', async (method) => {
    const body = method === 'PUT' ? { rules: [] } : undefined
    expect((await manage(method, path(UNKNOWN_ID), body)).status).toBe(404)
  })

  test('a request with a wrong key is refused with 401', async () => {
    expect((await manage('GET', path(sandboxIds.psp), undefined, 'wrong')).status).toBe(401)
  })
})

describe('the fingerprint of a card', () => {
  test('is read by the id of a payment or registration, and is equal for equal cards', async () => {
    const paid = await send('POST', '/v1/payments', cardPayment())
    const stored = await send('POST', '/v1/registrations', cardWithoutPayment())
    const otherCard = await send('POST', '/v1/payments', cardPayment({ 'card.number': '4111111111111111' }))
    const accounts = await Promise.all(
      [paid, stored, otherCard].map(async ({ body }) => (await manage('GET', `/accounts/${body.id}`)).body),
    )
    expect(accounts[0]).toEqual({
      id: paid.body.id,
      merchant: sandboxIds.merchant,
      kind: 'card',
      brand: 'VISA',
      bin: '420000',
      last4Digits: '0000',
      fingerprint: expect.stringMatching(/^fpk-[0-9a-f]{8}:[0-9a-f]{64}$/),
    })
    const [first, second, third] = accounts.map(({ fingerprint }) => fingerprint)
    expect(first).toBe(second)
    expect(first).not.toBe(third)
  })

  test('is missing for an unknown account and for an account without a stored number', async () => {
    expect((await manage('GET', `/accounts/${UNKNOWN_ID}`)).status).toBe(404)
    const refused = await send('POST', '/v1/payments', cardPayment({ 'card.number': '4200000000000001' }))
    expect((await manage('GET', `/accounts/${refused.body.id}`)).body).toMatchObject({ fingerprint: null })
  })
})
