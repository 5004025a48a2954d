import { MINUTE_MS } from '@tollgate/contract'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { appParameters, challenged, charge, frictionless, requestor } from './requestor.ts'
import { withIssuers } from './with-issuers.ts'

const setup = await withIssuers()
const { pay, read, changeSettings, resetSettings, fastForward } = requestor(setup)
afterAll(() => setup.tollgate.close())
afterEach(resetSettings)

describe('a charge by the merchant (3RI)', () => {
  test('is authenticated on a channel with the setting merchantInitiated', async () => {
    await changeSettings({ authentication: { merchantInitiated: true } })
    const { body } = await pay(frictionless, charge)
    expect([body.result.code, body.threeDSecure.eci]).toEqual(['000.100.110', '05'])
    expect(setup.requests.at(-1)).toMatchObject({
      deviceChannel: '03',
      threeRIInd: '01',
      recurringExpiry: '99991231',
      recurringFrequency: '1',
    })
  })

  test('is authenticated with threeDSecure.threeRIInd in the request', async () => {
    const { body } = await pay(frictionless, { ...charge, 'threeDSecure.threeRIInd': 'SPLIT_SHIPMENT' })
    expect([body.result.code, body.threeDSecure.eci]).toEqual(['000.100.110', '05'])
    expect(setup.requests.at(-1)).toMatchObject({ deviceChannel: '03', threeRIInd: '06' })
  })

  test('refers to the authentication of its agreement', async () => {
    await changeSettings({ authentication: { merchantInitiated: true } })
    const agreement = { ...charge, 'standingInstruction.mode': 'INITIAL', 'standingInstruction.source': 'CIT' }
    const firstPayment = await pay(frictionless, {
      ...agreement,
      ...appParameters,
      'standingInstruction.initialTransactionId': undefined,
    })
    const { CardholderInitiatedTransactionID } = firstPayment.body.resultDetails
    const { body } = await pay(frictionless, {
      ...charge,
      'standingInstruction.initialTransactionId': CardholderInitiatedTransactionID,
    })
    expect(body.result.code).toBe('000.100.110')
    expect(setup.requests.at(-1)?.threeDSRequestorPriorAuthenticationInfo).toEqual({
      threeDSReqPriorRef: firstPayment.body.threeDSecure.acsTransactionId,
      threeDSReqPriorAuthTimestamp: expect.stringMatching(/^[0-9]{12}$/),
    })
  })

  test.each(['3', '03'])(
    'is authenticated with threeDSecure.channel=%s, even without a standing instruction',
    async (channel) => {
      const { body } = await pay(frictionless, { shopperResultUrl: undefined, 'threeDSecure.channel': channel })
      expect([body.result.code, body.threeDSecure.eci]).toEqual(['000.100.110', '05'])
      expect(setup.requests.at(-1)).toMatchObject({ deviceChannel: '03', threeRIInd: '11' })
    },
  )

  test('is refused with threeDSecure.channel=3 on a channel without 3-D Secure', async () => {
    await changeSettings({ threeDSecure: 'off' })
    const { status, body } = await pay(frictionless, { shopperResultUrl: undefined, 'threeDSecure.channel': '3' })
    expect([status, body.result.code]).toEqual([400, '600.200.201'])
    expect(body.resultDetails.ExtendedDescription).toContain('threeDSecure.channel=3')
  })

  test('is not authenticated without the setting and without a parameter', async () => {
    const requestCount = setup.requests.length
    const { body } = await pay(frictionless, charge)
    expect([body.result.code, body.threeDSecure, setup.requests.length]).toEqual([
      '000.100.110',
      undefined,
      requestCount,
    ])
  })

  test('is declined by an issuer that demands a challenge, unless the authentication is decoupled', async () => {
    await changeSettings({ authentication: { merchantInitiated: true } })
    const declined = await pay(challenged, charge)
    expect([declined.body.result.code, declined.body.resultDetails.TransactionStatusReason]).toEqual([
      '100.380.401',
      '23',
    ])
    const { body } = await pay(challenged, { ...charge, 'threeDSecure.decoupled': 'true' })
    expect([body.result.code, typeof body.resultDetails.CardholderInfo]).toEqual(['000.200.000', 'string'])
    await fastForward(MINUTE_MS)
    await setup.issuers.advance()
    await fastForward(2 * MINUTE_MS)
    expect((await read(body.id)).result.code).toBe('000.100.110')
  })
})
