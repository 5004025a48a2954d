import { type ThreeDSecureCard, threeDSecureCards, threeDSecureFaultCards } from '@tollgate/connectors'
import {
  type MessageOf,
  readCartesBancairesResponse,
  readMessage,
  simulatorOptions,
  writeMessage,
} from '@tollgate/three-d-secure'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { limits } from '../../limits.ts'
import { verifyCavv } from '../cavv.ts'
import { appFields, areqOf, challengeCard, transactionId, secret, url, testIssuers } from '../testing/test-issuers.ts'

const issuers = testIssuers()

describe('the directory server', () => {
  it('lists the ranges of enrolled cards, unless the request has their serial number', async () => {
    const preq: MessageOf<'PReq'> = {
      messageVersion: '2.2.0',
      threeDSServerTransID: transactionId,
      threeDSServerRefNumber: 'TOLLGATE',
    }
    const first = readMessage('PRes', (await issuers().send('/ds', writeMessage('PReq', preq))).body, {
      threeDSServerTransID: transactionId,
    })
    if (!('ok' in first)) throw new Error(JSON.stringify(first))
    const { serialNum, cardRangeData = [] } = first.ok
    const cards: readonly ThreeDSecureCard[] = [...threeDSecureCards, ...threeDSecureFaultCards]
    for (const { number, flow, methodData } of cards) {
      const range = cardRangeData.find(({ startRange, endRange }) => startRange <= number && number <= endRange)
      expect(range?.threeDSMethodURL, number).toBe(methodData ? `${url}/acs/method` : undefined)
      expect(range === undefined, number).toBe(flow === 'none')
    }
    const oldVersionNumber = threeDSecureFaultCards.find(({ fault }) => fault === 'oldVersion')?.number
    expect(cardRangeData.filter(({ acsEndProtocolVersion }) => acsEndProtocolVersion === '2.1.0')).toMatchObject([
      { startRange: oldVersionNumber },
    ])

    const again = readMessage('PRes', (await issuers().send('/ds', writeMessage('PReq', { ...preq, serialNum }))).body)
    expect('ok' in again && again.ok.serialNum).toBe(serialNum)
    expect('ok' in again && again.ok.cardRangeData).toBeUndefined()
  })

  it.each(threeDSecureCards)('answers for $brand $number by its row: $flow $transactionStatus $eci', async (card) => {
    for (const messageVersion of ['2.1.0', '2.2.0'] as const) {
      const read = await issuers().request(areqOf(card.number, { messageVersion }))
      if (card.flow === 'none') {
        expect(read).toMatchObject({ erro: { errorCode: '305', errorDetail: 'acctNumber', errorComponent: 'D' } })
        continue
      }
      if (!('ok' in read)) throw new Error(JSON.stringify(read))
      const { transStatus, eci, authenticationValue, acsTransID } = read.ok
      expect({ transStatus, eci }).toEqual({ transStatus: card.transactionStatus, eci: card.eci })
      const isProven = transStatus === 'Y' || transStatus === 'A'
      expect(authenticationValue?.length).toBe(isProven ? 28 : undefined)
      if (isProven) {
        const authenticated = {
          number: secret(card.number),
          amount: '1234',
          currency: '978',
          acsTransID,
          status: transStatus,
        }
        expect(verifyCavv(authenticated, authenticationValue ?? '')).toBe(true)
        expect(verifyCavv({ ...authenticated, amount: '1235' }, authenticationValue ?? '')).toBe(false)
      }
    }
  })

  it('refuses an unlisted card, unless the request declares it enrolled', async () => {
    const number = '4111111111111111'
    expect(await issuers().request(areqOf(number))).toMatchObject({
      erro: { errorCode: '305', errorDetail: 'acctNumber' },
    })
    const enrolled = (flow?: 'challenge' | 'frictionless') => [simulatorOptions({ enrolled: true, flow })]
    expect(await issuers().authenticate(areqOf(number, { messageExtension: enrolled() }))).toMatchObject({
      transStatus: 'Y',
      eci: '05',
    })
    expect(await issuers().authenticate(areqOf(number, { messageExtension: enrolled('challenge') }))).toMatchObject({
      transStatus: 'C',
    })
    expect(await issuers().authenticate(areqOf('5555555555554444', { messageExtension: enrolled() }))).toMatchObject({
      eci: '02',
    })
  })

  it.each([
    ['a requested challenge', '4200000000000026', { messageExtension: [simulatorOptions({ flow: 'challenge' })] }, 'C'],
    [
      'a requested frictionless flow',
      challengeCard,
      { messageExtension: [simulatorOptions({ flow: 'frictionless' })] },
      'Y',
    ],
    ['a mandated challenge', '4200000000000026', { threeDSRequestorChallengeInd: '04' }, 'C'],
    [
      'a mandated challenge with a requested frictionless flow',
      '4200000000000026',
      { threeDSRequestorChallengeInd: '04', messageExtension: [simulatorOptions({ flow: 'frictionless' })] },
      'C',
    ],
    ['a request for data only', '4200000000000026', { threeDSRequestorChallengeInd: '06' }, 'I'],
    [
      'a request for decoupled authentication',
      challengeCard,
      { threeDSRequestorDecReqInd: 'Y', threeDSRequestorDecMaxTime: '00005' },
      'D',
    ],
    ['the absence of a cardholder', '4200000000000026', { deviceChannel: '03', threeRIInd: '06' }, 'Y'],
    ['the absence of a cardholder for a challenge', challengeCard, { deviceChannel: '03', threeRIInd: '06' }, 'N'],
    ['the absence of a payment', '4200000000000026', { messageCategory: '02', purchaseAmount: undefined }, 'Y'],
    ['a challenge without a payment', challengeCard, { messageCategory: '02' }, 'C'],
  ] as const)('answers with the expected status: %s', async (_name, number, changes, transStatus) => {
    expect((await issuers().authenticate(areqOf(number, changes))).transStatus).toBe(transStatus)
  })

  it('answers with reason 23 if only decoupled authentication is possible', async () => {
    const ares = await issuers().authenticate(areqOf(challengeCard, { deviceChannel: '03', threeRIInd: '06' }))
    expect(ares.transStatusReason).toBe('23')
  })

  it('answers for a card of Cartes Bancaires with the extension of that network', async () => {
    const ares = await issuers().authenticate(areqOf('5555552500001001'))
    expect(readCartesBancairesResponse(ares.messageExtension)).toEqual({
      algorithm: '4',
      exemption: 'AAAA',
      score: '10',
    })
  })

  it.each([
    ['text that is not JSON', 'hello', '101', 'the message is not a JSON object'],
    ['a message of another direction', '{"messageType":"RReq"}', '101', 'messageType'],
    ['an error message', '{"messageType":"Erro"}', '101', 'messageType'],
    ['a later version', '{"messageType":"AReq","messageVersion":"2.3.1"}', '102', 'messageVersion'],
    [
      'an incomplete request',
      '{"messageType":"PReq","messageVersion":"2.2.0"}',
      '201',
      'threeDSServerTransID, threeDSServerRefNumber',
    ],
  ])('answers %s with an error', async (_name, body, errorCode, errorDetail) => {
    const read = readMessage('ARes', (await issuers().send('/ds', body)).body)
    expect(read).toMatchObject({ erro: { errorCode, errorDetail, errorComponent: 'D' } })
  })

  it('answers every valid request with a valid message', async () => {
    const flows = fc.constantFrom('challenge' as const, 'frictionless' as const, undefined)
    const requests = fc.record({
      card: fc.constantFrom(...threeDSecureCards),
      messageVersion: fc.constantFrom('2.1.0' as const, '2.2.0' as const),
      deviceChannel: fc.constantFrom('01' as const, '02' as const, '03' as const),
      messageCategory: fc.constantFrom('01', '02', '85'),
      threeDSRequestorChallengeInd: fc.constantFrom('01', '04', '80', undefined),
      threeDSRequestorDecReqInd: fc.constantFrom('Y' as const, 'N' as const, undefined),
      options: fc.record({ enrolled: fc.constantFrom(true, undefined), flow: flows }),
      purchaseAmount: fc.constantFrom('0', '1234', '9'.repeat(48)),
      browserLanguage: fc.constantFrom('ar', 'x', '-,-;q=2'),
    })
    await fc.assert(
      fc.asyncProperty(requests, async ({ card, options, ...requested }) => {
        fc.pre(
          requested.messageVersion !== '2.1.0' ||
            requested.deviceChannel !== '03' ||
            requested.messageCategory !== '01',
        )
        const areq = areqOf(card.number, {
          ...appFields,
          ...requested,
          messageExtension: [simulatorOptions(options)],
          threeDSRequestorDecMaxTime: '00001',
          threeRIInd: '01',
          recurringExpiry: '20301231',
          recurringFrequency: '30',
        })
        expect('fault' in (await issuers().request(areq))).toBe(false)
        issuers().nowMs += limits.challengeMs
        await issuers().advance()
      }),
      { numRuns: process.env['TOLLGATE_TEST_LONG'] === '1' ? 3_000 : 100 },
    )
    expect(new Set(issuers().results.map(({ transStatus }) => transStatus))).toEqual(new Set(['Y', 'N']))
  })
})
