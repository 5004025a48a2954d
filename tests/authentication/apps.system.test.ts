import { MINUTE_MS } from '@tollgate/contract'
import { threeDSecureFaultCards } from '@tollgate/connectors'
import type { TestAnswer } from '@tollgate/gateway/testing'
import { readMessage, writeMessage } from '@tollgate/three-d-secure'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import { appParameters, challenged, charge, device, frictionless, requestor, sdkTransID } from './requestor.ts'
import { pageOf, withIssuers } from './with-issuers.ts'

const setup = await withIssuers()
const { pay, read, resetSettings, fastForward } = requestor(setup)
afterAll(() => setup.tollgate.close())
afterEach(resetSettings)

describe('3-D Secure in an app', () => {
  test('a frictionless authentication needs no page', async () => {
    const { status, body } = await pay(frictionless, appParameters)
    expect([status, body.result.code, body.redirect]).toEqual([200, '000.100.110', undefined])
    expect(body.threeDSecure).toMatchObject({ eci: '05', authenticationStatus: 'Y', version: '2.2.0' })
    expect(setup.requests.at(-1)).toMatchObject({ deviceChannel: '01', sdkTransID, sdkEncData: 'e.n.c.r.ypted' })
  })

  test.each([
    ['refused by the issuer', '4012001037141112', '100.380.401', 400],
    ['unavailable at the issuer', '4012001037461114', '000.100.110', 200],
    ['that fails because the card is not enrolled', '4532497088771651', '000.100.110', 200],
  ])('a payment with an authentication %s (%s) has result code %s', async (_, number, code, status) => {
    const answer = await pay(number, appParameters)
    expect([answer.status, answer.body.result.code]).toEqual([status, code])
    expect((await read(answer.body.id)).result.code).toBe(code)
  })

  test.each([
    ['the right password', { challengeDataEntry: '1234' }, '000.100.110'],
    ['a rejection', { challengeDataEntry: '2222' }, '100.390.100'],
    ['a cancellation', { challengeCancel: '01' }, '100.380.401'],
  ])('a challenge by the SDK with %s has its result code', async (_, entry, code) => {
    const { body } = await pay(challenged, appParameters)
    expect(body.result.code).toBe('000.200.000')
    expect(body.redirect).toBeUndefined()
    const { threeDSServerTransID, acsTransID, messageVersion, acsSignedContent } = body.challenge
    expect([body.challenge.sdkTransID, acsSignedContent.split('.').length]).toEqual([sdkTransID, 3])
    const context = { messageVersion: '2.2.0', deviceChannel: '01', sdkTransID, acsTransID } as const
    const creq = { messageVersion, threeDSServerTransID, acsTransID, sdkTransID }
    await setup.send('/acs/app', writeMessage('CReq', { ...creq, sdkCounterStoA: '000' }, context))
    const answer = await setup.send(
      '/acs/app',
      writeMessage('CReq', { ...creq, sdkCounterStoA: '001', ...entry }, context),
    )
    expect(readMessage('CRes', answer, context)).toMatchObject({ ok: { challengeCompletionInd: 'Y' } })
    await fastForward(2 * MINUTE_MS)
    const completed = await read(body.id)
    expect([completed.result.code, completed.challenge]).toEqual([code, undefined])
    if (code === '000.100.110')
      expect(completed.threeDSecure).toMatchObject({ authType: '02', challengeMandatedIndicator: 'N' })
  })

  test.each(threeDSecureFaultCards.filter(({ fault, flow }) => flow === 'frictionless' && fault !== 'silence'))(
    'a payment completes despite a fault of the issuer: $fault',
    async ({ number, fault }) => {
      const { body } = await pay(number, appParameters)
      const hasProof = fault === 'wrongProof' || fault === 'oldVersion'
      expect(body.result.code).toBe('000.100.110')
      expect(body.threeDSecure?.verificationId?.length).toBe(hasProof ? 28 : undefined)
    },
  )

  test('a challenge that the SDK never starts times out', async () => {
    const { body } = await pay(challenged, appParameters)
    await fastForward(12 * MINUTE_MS)
    expect((await read(body.id)).result.code).toBe('100.380.501')
  })

  test.each(['""', '{', '{"sdkTransID":"x"}', Buffer.from('nothing').toString('base64')])(
    'the refusal of an invalid threeDSecure.deviceInfo contains its name: %j',
    async (deviceInfo) => {
      const { status, body } = await pay(frictionless, { ...appParameters, 'threeDSecure.deviceInfo': deviceInfo })
      expect([status, body.result.code]).toEqual([400, '200.300.404'])
      expect(body.resultDetails.ExtendedDescription).toContain('threeDSecure.deviceInfo')
    },
  )
})

describe('every result message of an issuer is acknowledged and completes the payment', () => {
  const decoupled = { 'threeDSecure.decoupled': 'true' }
  const deviceOf = (messageVersion: string) => ({
    'threeDSecure.deviceInfo': JSON.stringify({ ...device, messageVersion }),
  })

  /**
   * The HTTP statuses of the gateway's answers to the result messages of the last authentication. The issuer resends a
   * message until it is acknowledged, so that a single status 200 shows that the first message was acknowledged.
   */
  function resultStatuses(): readonly number[] {
    const id = setup.requests.at(-1)?.threeDSServerTransID
    return setup.traffic.results.filter(({ transactionId }) => transactionId === id).map(({ status }) => status)
  }

  /** Answers the challenge as the SDK, with the right password. */
  async function answerChallenge({ challenge: parameters }: TestAnswer['body']): Promise<void> {
    const { threeDSServerTransID, acsTransID, messageVersion } = parameters
    const context = { messageVersion, deviceChannel: '01', sdkTransID, acsTransID } as const
    const creq = { messageVersion, threeDSServerTransID, acsTransID, sdkTransID }
    for (const [sdkCounterStoA, challengeDataEntry] of [
      ['000', undefined],
      ['001', '1234'],
    ] as const) {
      await setup.send('/acs/app', writeMessage('CReq', { ...creq, sdkCounterStoA, challengeDataEntry }, context))
    }
  }

  /** Advances the clock by a minute, in which the simulated cardholder confirms the authentication. */
  async function confirm(): Promise<void> {
    await fastForward(MINUTE_MS)
    await setup.issuers.advance()
  }

  test.each([
    ['an authentication in an app', { ...appParameters, ...deviceOf('2.2.0') }, answerChallenge],
    ['an authentication in an app with 3-D Secure 2.1', { ...appParameters, ...deviceOf('2.1.0') }, answerChallenge],
    ['a decoupled authentication in an app', { ...appParameters, ...decoupled }, confirm],
    [
      'a decoupled authentication of a charge by the merchant',
      { ...charge, ...decoupled, 'threeDSecure.threeRIInd': 'RECURRING' },
      confirm,
    ],
  ])('%s completes', async (_, changes, finish) => {
    const { body } = await pay(challenged, changes)
    expect(body.result.code).toBe('000.200.000')
    await finish(body)
    expect(resultStatuses()).toEqual([200])
    await vi.waitFor(async () => expect((await read(body.id)).result.code).toBe('000.100.110'))
  })

  test('a decoupled authentication in a browser completes', async () => {
    const { body } = await pay(challenged, decoupled)
    await setup.begin(pageOf(body))
    await confirm()
    expect(resultStatuses()).toEqual([200])
    await vi.waitFor(async () => expect((await read(body.id)).result.code).toBe('000.100.110'))
  })
})
