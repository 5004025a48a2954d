import { DAY_MS } from '@tollgate/contract'
import type { AcquirerRequest } from '@tollgate/connectors'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { shreddedAccount } from '../records/account-record.ts'
import { sandboxIds } from '../directory/sandbox.ts'
import {
  cardWithoutPayment,
  cardPayment,
  comparableBody,
  type Parameters,
  testGateway,
  simulatorOf,
} from '@tollgate/gateway/testing'

const tollgate = await testGateway()
afterAll(() => tollgate.close())
const { send, gateway, clock, manage } = tollgate

/** Makes an approved payment. @returns its id */
const approvedPayment = async (changes: Parameters = {}, path = '/v1/payments'): Promise<string> => {
  const { status, body } = await send('POST', path, cardPayment(changes))
  expect(status).toBe(200)
  return body.id
}
const rebill = (id: string, changes: Parameters = {}, headers: Parameters = {}) =>
  send('POST', `/v1/payments/${id}`, { paymentType: 'RB', amount: '10.00', currency: 'EUR', ...changes }, headers)

const agreementParameter = (initialTransactionId: string) => ({
  'standingInstruction.initialTransactionId': initialTransactionId,
})
const networkIdOf = (body: { resultDetails: Record<string, string> }) =>
  body.resultDetails['CardholderInitiatedTransactionID'] ?? ''

/** The requests to the acquirer while `act` runs. */
async function acquirerRequestsDuring(act: () => Promise<unknown>): Promise<readonly AcquirerRequest[]> {
  const sendSpy = vi.spyOn(simulatorOf(gateway), 'send')
  await act()
  const requests = sendSpy.mock.calls.map(([request]) => request)
  sendSpy.mockRestore()
  return requests
}

test('the answer to a rebill has the fields of a debit', async () => {
  const id = await approvedPayment()
  const answer = await rebill(id, { merchantTransactionId: 'order-0001' })
  expect(answer.status).toBe(200)
  expect(answer.body).toMatchObject({
    referencedId: id,
    paymentType: 'RB',
    paymentBrand: 'VISA',
    amount: '10.00',
    currency: 'EUR',
    descriptor: expect.stringMatching(/^\d{4}\.\d{4}\.\d{4} Sandbox$/),
    merchantTransactionId: 'order-0001',
    result: { code: '000.100.110' },
    resultDetails: { AcquirerResponse: '00', AuthCode: expect.any(String) },
    card: { bin: '420000', last4Digits: '0000', holder: 'Jane Jones', expiryMonth: '05', type: 'CREDIT' },
  })
  expect(comparableBody(await send('GET', `/v1/payments/${answer.body.id}`))).toEqual(comparableBody(answer))
})

describe('the acquirer receives a merchant-initiated debit', () => {
  test.each(['DB', 'PA'])('after a %s', async (paymentType) => {
    const { body: first } = await send('POST', '/v1/payments', cardPayment({ paymentType }))
    const capture = { paymentType: 'CP', amount: '92.00', currency: 'EUR' }
    const { body } = paymentType === 'PA' ? await send('POST', `/v1/payments/${first.id}`, capture) : { body: first }
    const [request] = await acquirerRequestsDuring(() => rebill(body.id))
    expect(request).toMatchObject({
      operation: 'DB',
      amountMinor: 1000,
      brand: 'VISA',
      account: { kind: 'card', expiryMonth: '05', expiryYear: '2034', holder: 'Jane Jones' },
    })
    expect(request?.account?.cvv).toBeUndefined()
    const instructionParameters = [...(request?.parameters ?? [])].filter(([name]) =>
      name.startsWith('standingInstruction.'),
    )
    expect(Object.fromEntries(instructionParameters)).toEqual({
      'standingInstruction.type': 'UNSCHEDULED',
      'standingInstruction.mode': 'REPEATED',
      'standingInstruction.source': 'MIT',
    })
    expect(request?.initialTransactionId).toBe(first.resultDetails.CardholderInitiatedTransactionID)
  })

  test('with the parts of a standing instruction that were sent', async () => {
    const id = await approvedPayment()
    const sent = { 'standingInstruction.type': 'RECURRING', ...agreementParameter('123456789012345') }
    const [request] = await acquirerRequestsDuring(() => rebill(id, sent))
    expect(request?.initialTransactionId).toBe('123456789012345')
    expect(request?.parameters.get('standingInstruction.type')).toBe('RECURRING')
    expect(request?.parameters.get('standingInstruction.source')).toBe('MIT')
  })
})

describe('a rebill with a standing instruction', () => {
  const beginInstalments = (numberOfInstallments: string, amount = '10.00') =>
    send(
      'POST',
      '/v1/payments',
      cardPayment({
        amount,
        'standingInstruction.type': 'INSTALLMENT',
        'standingInstruction.mode': 'INITIAL',
        'standingInstruction.source': 'CIT',
        'standingInstruction.numberOfInstallments': numberOfInstallments,
      }),
    )
  const INSTALLMENT = { 'standingInstruction.type': 'INSTALLMENT' }
  const codeOf = async (answer: ReturnType<typeof rebill>) => (await answer).body.result.code

  test('counts as an instalment of its agreement', async () => {
    const { body } = await beginInstalments('3')
    const byNetworkId = { ...INSTALLMENT, ...agreementParameter(networkIdOf(body)) }
    expect(await codeOf(rebill(body.id, INSTALLMENT))).toBe('000.100.110')
    expect(await codeOf(rebill(await approvedPayment(), byNetworkId))).toBe('000.100.110')
    expect(await codeOf(rebill(body.id, INSTALLMENT))).toBe('600.200.501')
    const charge = { ...byNetworkId, 'standingInstruction.mode': 'REPEATED', 'standingInstruction.source': 'MIT' }
    const { body: refused } = await send('POST', '/v1/payments', cardPayment({ 'card.cvv': undefined, ...charge }))
    expect(refused.resultDetails.ExtendedDescription).toContain('all instalments')
  })

  test('does not exceed the agreed number of instalments under concurrency', async () => {
    const { body } = await beginInstalments('4')
    const otherPayment = await approvedPayment()
    const codes = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        codeOf(
          rebill(index % 2 === 0 ? body.id : otherPayment, {
            ...INSTALLMENT,
            ...agreementParameter(networkIdOf(body)),
          }),
        ),
      ),
    )
    expect(codes.filter((code) => code === '000.100.110')).toHaveLength(3)
    expect(codes.filter((code) => code === '600.200.501')).toHaveLength(7)
  })

  test('and an industry practice needs a stored payment, but no agreement, and is limited in time', async () => {
    const id = await approvedPayment()
    const noShow = { 'standingInstruction.industryPractice': 'NO_SHOW' }
    expect(await codeOf(rebill(id, noShow))).toBe('000.100.110')
    expect(await codeOf(rebill(id, { ...noShow, ...agreementParameter('123456789012345') }))).toBe('600.200.501')
    clock.nowMs += 30 * DAY_MS
    expect(await codeOf(rebill(id, { 'standingInstruction.industryPractice': 'DELAYED_CHARGES' }))).toBe('600.200.501')
    clock.nowMs -= 30 * DAY_MS
  })

  test('is the only kind of rebill that counts as an instalment', async () => {
    const { body } = await beginInstalments('2')
    expect(await codeOf(rebill(body.id))).toBe('000.100.110')
    expect(await codeOf(rebill(body.id, INSTALLMENT))).toBe('000.100.110')
  })

  test('can resubmit a rebill that was declined for lack of funds, but only once', async () => {
    const id = await approvedPayment()
    const { body } = await rebill(id, { 'customParameters[forceResultCode]': '800.100.155' })
    const resubmission = {
      'standingInstruction.industryPractice': 'RESUBMISSION',
      ...agreementParameter(networkIdOf(body)),
    }
    expect(await codeOf(rebill(id, resubmission))).toBe('000.100.110')
    expect(await codeOf(rebill(id, resubmission))).toBe('600.200.501')
  })

  test.each<{ rebillKind: string; changes: Parameters; code: string; named: string }>([
    {
      rebillKind: 'initiated by the customer',
      changes: { 'standingInstruction.source': 'CIT' },
      code: '200.300.404',
      named: 'source',
    },
    {
      rebillKind: 'with mode INITIAL',
      changes: { 'standingInstruction.mode': 'INITIAL' },
      code: '200.300.404',
      named: 'mode',
    },
    { rebillKind: 'with a cvv', changes: { 'card.cvv': '123' }, code: '600.200.501', named: 'card.cvv' },
    {
      rebillKind: 'after its expiry',
      changes: { 'standingInstruction.expiry': '2001-01-01' },
      code: '600.200.501',
      named: 'expiry',
    },
    {
      rebillKind: 'with practice INCREMENTAL_AUTH',
      changes: { 'standingInstruction.industryPractice': 'INCREMENTAL_AUTH' },
      code: '600.200.501',
      named: 'increment',
    },
  ])('$rebillKind is refused with $code', async ({ changes, code, named }) => {
    const { status, text, body } = await rebill(await approvedPayment(), changes)
    expect([status, body.result.code]).toEqual([400, code])
    expect(text).toContain(named)
  })
})

test('a declined rebill is stored and can be repeated', async () => {
  const id = await approvedPayment()
  const declined = await rebill(id, { 'customParameters[forceResultCode]': '800.100.155' })
  expect([declined.status, declined.body.result.code]).toEqual([400, '800.100.155'])
  expect(comparableBody(await send('GET', `/v1/payments/${declined.body.id}`))).toEqual(comparableBody(declined))
  expect((await rebill(id)).status).toBe(200)
})

test('partial approvals are requested on a channel that accepts them', async () => {
  const id = await approvedPayment()
  const [plain] = await acquirerRequestsDuring(() => rebill(id))
  await manage('PATCH', `/entities/${sandboxIds.channel}`, { settings: { partialApproval: true } })
  const [partial] = await acquirerRequestsDuring(() => rebill(id))
  await manage('PATCH', `/entities/${sandboxIds.channel}`, { settings: { partialApproval: null } })
  expect([plain?.partialApproval, partial?.partialApproval]).toEqual([false, true])
})

describe('the card of a rebill', () => {
  const numberOf = async (id: string): Promise<string> => {
    const account = await gateway.storage.account(id)
    const { sealed, wrapped_key: wrappedKey, key_id: keyId, merchant } = account ?? {}
    if (!sealed || !wrappedKey || !keyId || !merchant) return 'none'
    return gateway.vault.unseal({ sealed, wrappedKey, keyId }, { id, merchant }).use((digits) => String(digits))
  }

  test('is stored as a separate account', async () => {
    const id = await approvedPayment()
    const { body } = await rebill(id)
    const [originalAccount, newAccount] = [await gateway.storage.account(id), await gateway.storage.account(body.id)]
    expect(await numberOf(body.id)).toBe(await numberOf(id))
    expect(newAccount?.fingerprint).toEqual(originalAccount?.fingerprint)
    expect(newAccount?.sealed).not.toEqual(originalAccount?.sealed)
  })

  test('is available after the registration of the payment is deleted', async () => {
    const { body: registered } = await send('POST', '/v1/registrations', cardWithoutPayment())
    const money = { paymentType: 'DB', amount: '92.00', currency: 'EUR' }
    const { body } = await send('POST', `/v1/registrations/${registered.id}/payments`, money)
    expect((await send('DELETE', `/v1/registrations/${registered.id}`)).status).toBe(200)
    const rebilled = await rebill(body.id)
    expect([rebilled.status, rebilled.body.registrationId]).toEqual([200, registered.id])
  })

  test('cannot be charged after its erasure: 700.500.004', async () => {
    const id = await approvedPayment()
    const account = await gateway.storage.account(id)
    await gateway.storage.commit({
      id: 'u',
      expectedVersions: [],
      rows: { account: account ? [shreddedAccount(account)] : [] },
    })
    const { status, body } = await rebill(id)
    expect([status, body.result.code, body.referencedId]).toEqual([400, '700.500.004', id])
  })

  test('cannot be charged after its expiry: 100.100.303', async () => {
    const id = await approvedPayment({ 'card.expiryMonth': '05', 'card.expiryYear': '2026' })
    clock.nowMs += 40 * DAY_MS
    const { status, body } = await rebill(id)
    expect([status, body.result.code, body.referencedId]).toEqual([400, '100.100.303', id])
  })
})

test('a disabled channel refuses rebills and accepts refunds', async () => {
  const channel = { kind: 'channel', name: 'Closed', parentId: sandboxIds.merchant }
  const { body: created } = await manage('POST', '/entities', channel)
  const onChannel = { entityId: created.id }
  const id = await approvedPayment(onChannel)
  await manage('PATCH', `/entities/${created.id}`, { settings: { enabled: false } })
  const rebilled = await rebill(id, onChannel)
  expect([rebilled.status, rebilled.body.result.code]).toEqual([400, '600.200.201'])
  expect((await rebill(id, { ...onChannel, paymentType: 'RF' })).status).toBe(200)
})

test('a rebill is executed once under its Idempotency-Key', async () => {
  const id = await approvedPayment()
  const headers = { 'idempotency-key': 'rebill-once' }
  const [first, repeated] = [await rebill(id, {}, headers), await rebill(id, {}, headers)]
  expect([first.status, repeated.text]).toEqual([200, first.text])
  expect((await gateway.storage.treeOf(id))?.transactions).toHaveLength(2)
})

test('a direct debit can be rebilled under its mandate', async () => {
  const { body } = await send('POST', '/v1/payments', {
    amount: '92.00',
    currency: 'EUR',
    paymentType: 'DB',
    paymentBrand: 'DIRECTDEBIT_SEPA',
    'bankAccount.holder': 'Jane Jones',
    'bankAccount.iban': 'NL91ABNA0417164300',
    'bankAccount.mandate.id': 'mandate-A',
    'bankAccount.mandate.dateOfSignature': '2026-04-01',
  })
  const answer = await rebill(body.id)
  expect([answer.status, answer.body.paymentType, answer.body.paymentBrand]).toEqual([200, 'RB', 'DIRECTDEBIT_SEPA'])
  expect(answer.body.bankAccount).toEqual(body.bankAccount)
  expect(answer.body).not.toHaveProperty('card')
})
