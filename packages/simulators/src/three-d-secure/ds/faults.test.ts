import { threeDSecureFaultCards } from '@tollgate/connectors'
import { readAuthenticatedAmount } from '@tollgate/three-d-secure'
import { describe, expect, it } from 'vitest'
import { verifyCavv } from '../cavv.ts'
import { areqOf, challengeCard, cresOf, secret, testIssuers } from '../testing/test-issuers.ts'

const issuers = testIssuers()

describe('the fault cards', () => {
  const numberOf = (fault: string): string => threeDSecureFaultCards.find((card) => card.fault === fault)?.number ?? ''

  it.each([
    ['error', { erro: { errorCode: '203', errorDetail: 'purchaseAmount' } }],
    ['timeout', { erro: { errorCode: '402' } }],
    ['malformed', { fault: { errorCode: '101' } }],
    ['noDsTransId', { fault: { errorCode: '201', errorDetail: 'dsTransID' } }],
    ['otherTransaction', { fault: { errorCode: '301', errorDetail: 'threeDSServerTransID' } }],
    ['noProof', { fault: { errorCode: '201', errorDetail: 'authenticationValue' } }],
    ['oldVersion', { erro: { errorCode: '102', errorDetail: 'messageVersion' } }],
  ])('%s results in %j', async (fault, expected) =>
    expect(await issuers().request(areqOf(numberOf(fault)))).toMatchObject(expected),
  )

  it('oldVersion supports version 2.1.0', async () => {
    expect(await issuers().authenticate(areqOf(numberOf('oldVersion'), { messageVersion: '2.1.0' }))).toMatchObject({
      eci: '05',
    })
  })

  it('silence causes no answer, although a later request is answered', async () => {
    let isAnswered = false
    void issuers()
      .request(areqOf(numberOf('silence')))
      .then(() => (isAnswered = true))
    await issuers().authenticate(areqOf(challengeCard))
    expect(isAnswered).toBe(false)
  })

  it('wrongProof causes an authentication value that is complete, but invalid', async () => {
    const number = numberOf('wrongProof')
    const { acsTransID, authenticationValue = '', eci } = await issuers().authenticate(areqOf(number))
    expect([authenticationValue.length, eci]).toEqual([28, '05'])
    const authenticated = { number: secret(number), amount: '1234', currency: '978', acsTransID, status: 'Y' } as const
    expect(verifyCavv(authenticated, authenticationValue)).toBe(false)
  })

  it('otherAmount causes a result and an authentication value for another amount', async () => {
    const number = numberOf('otherAmount')
    const { acsTransID } = await issuers().openChallenge({}, number)
    expect(cresOf(await issuers().sendForm('/acs/answer', { acsTransID, password: '1234' })).transStatus).toBe('Y')
    const [{ messageExtension, authenticationValue = '' } = {}] = issuers().results
    expect(readAuthenticatedAmount(messageExtension)).toEqual({ purchaseAmount: '12341', purchaseCurrency: '978' })
    const authenticated = { number: secret(number), currency: '978', acsTransID, status: 'Y' } as const
    expect(verifyCavv({ ...authenticated, amount: '1234' }, authenticationValue)).toBe(false)
    expect(verifyCavv({ ...authenticated, amount: '12341' }, authenticationValue)).toBe(true)
  })

  it('noResult returns the browser without a results request', async () => {
    const { acsTransID } = await issuers().openChallenge({}, numberOf('noResult'))
    expect(cresOf(await issuers().sendForm('/acs/answer', { acsTransID, password: '1234' })).transStatus).toBe('Y')
    expect(issuers().results).toEqual([])
  })

  it('are one card for each of the faults above', () => {
    expect(threeDSecureFaultCards.map(({ fault }) => fault).toSorted()).toEqual([
      'error',
      'malformed',
      'noDsTransId',
      'noProof',
      'noResult',
      'oldVersion',
      'otherAmount',
      'otherTransaction',
      'silence',
      'timeout',
      'wrongProof',
    ])
  })
})
