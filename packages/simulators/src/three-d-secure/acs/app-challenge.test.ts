import { type MessageOf, readMessage, writeMessage } from '@tollgate/three-d-secure'
import { describe, expect, it } from 'vitest'
import { appFields, areqOf, challengeCard, transactionId, sdkId, url, testIssuers } from '../testing/test-issuers.ts'

const issuers = testIssuers()

describe('an app', () => {
  const app = { deviceChannel: '01' } as const

  async function sendCReq(acsTransID: string, changes: Partial<MessageOf<'CReq'>> = {}) {
    const creq = {
      messageVersion: '2.2.0',
      threeDSServerTransID: transactionId,
      acsTransID,
      sdkTransID: sdkId,
    } as const
    const body = writeMessage('CReq', { ...creq, sdkCounterStoA: '000', ...changes }, app)
    return readMessage('CRes', (await issuers().send('/acs/app', body)).body, { ...app, sdkTransID: sdkId })
  }

  it('gets the address of the ACS in an unsecured JWS', async () => {
    const ares = await issuers().authenticate(areqOf(challengeCard, appFields))
    expect(ares).toMatchObject({ transStatus: 'C', acsRenderingType: { acsInterface: '01', acsUiTemplate: '01' } })
    const [head = '', payload = '', signature] = ares.acsSignedContent?.split('.') ?? []
    expect(JSON.parse(Buffer.from(head, 'base64url').toString())).toEqual({ alg: 'none' })
    expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toMatchObject({ acsURL: `${url}/acs/app` })
    expect(signature).toBe('')
  })

  it('gets another prompt after a wrong password, and the result after a correct password', async () => {
    const { acsTransID } = await issuers().authenticate(areqOf(challengeCard, appFields))
    expect(await sendCReq(acsTransID)).toMatchObject({
      ok: { challengeCompletionInd: 'N', acsUiType: '01', challengeInfoTextIndicator: 'N', acsCounterAtoS: '000' },
    })
    expect(await sendCReq(acsTransID, { challengeDataEntry: '4321', sdkCounterStoA: '001' })).toMatchObject({
      ok: { challengeCompletionInd: 'N', challengeInfoTextIndicator: 'Y', acsCounterAtoS: '001' },
    })
    expect(await sendCReq(acsTransID, { challengeDataEntry: '1234', sdkCounterStoA: '002' })).toMatchObject({
      ok: { challengeCompletionInd: 'Y', transStatus: 'Y' },
    })
    expect(issuers().results).toMatchObject([
      { transStatus: 'Y', interactionCounter: '02', sdkTransID: sdkId, acsRenderingType: { acsInterface: '01' } },
    ])
    expect(await sendCReq(acsTransID, { challengeDataEntry: '1111' })).toMatchObject({ ok: { transStatus: 'Y' } })
    expect(issuers().results).toHaveLength(1)
  })

  it('cancels a challenge', async () => {
    const { acsTransID } = await issuers().authenticate(areqOf(challengeCard, appFields))
    expect(await sendCReq(acsTransID, { challengeCancel: '01' })).toMatchObject({ ok: { transStatus: 'N' } })
    expect(issuers().results).toMatchObject([{ transStatus: 'N', challengeCancel: '01' }])
  })

  it('gets an error for an unknown id, an id of another client and an invalid request', async () => {
    const { acsTransID } = await issuers().authenticate(areqOf(challengeCard, appFields))
    const refusal = { erro: { errorCode: '301', errorComponent: 'A' } }
    expect(await sendCReq(transactionId)).toMatchObject(refusal)
    expect(await sendCReq(acsTransID, { sdkTransID: transactionId })).toMatchObject(refusal)
    expect(await sendCReq((await issuers().authenticate(areqOf(challengeCard))).acsTransID)).toMatchObject(refusal)
    expect(readMessage('CRes', (await issuers().send('/acs/app', '{}')).body)).toMatchObject({
      erro: { errorCode: '101' },
    })
  })
})
