import type { MessageOf } from '@tollgate/three-d-secure'
import { describe, expect, it } from 'vitest'
import { limits } from '../../limits.ts'
import { oneTimePasswords, resultOfPassword } from './one-time-passwords.ts'
import { verifyCavv } from '../cavv.ts'
import {
  areqOf,
  challengeCard,
  creqOf,
  cresOf,
  transactionId,
  sdkId,
  secret,
  testIssuers,
} from '../testing/test-issuers.ts'

const issuers = testIssuers()

describe('a challenge', () => {
  it.each([
    ['1234', 'Y', undefined, 'Y'],
    ['1111', 'N', '01', 'N'],
    ['2222', 'R', '11', 'N'],
    ['3333', 'U', '22', 'N'],
    ['7777', 'A', undefined, 'Y'],
    ['8888', 'N', '10', 'N'],
    ['9999', 'N', '08', 'N'],
    ['0026', 'N', '26', 'N'],
    [' 1234 ', 'Y', undefined, 'Y'],
  ])(
    'with password %s ends with status %s, reason %s',
    async (password, transStatus, transStatusReason, browserStatus) => {
      const { acsTransID, dsTransID } = await issuers().openChallenge()
      const cres = cresOf(await issuers().sendForm('/acs/answer', { acsTransID, password }))
      expect(cres).toEqual({
        messageVersion: '2.2.0',
        threeDSServerTransID: transactionId,
        acsTransID,
        challengeCompletionInd: 'Y',
        transStatus: browserStatus,
      })
      expect(issuers().results).toHaveLength(1)
      expect(issuers().results[0]).toMatchObject({ acsTransID, dsTransID, transStatus, interactionCounter: '01' })
      expect(issuers().results[0]?.transStatusReason).toBe(transStatusReason)
      expect(issuers().results[0]?.challengeCancel).toBeUndefined()
      const isProven = transStatus === 'Y' || transStatus === 'A'
      expect(issuers().results[0]?.eci).toBe({ Y: '05', A: '06' }[transStatus])
      if (!isProven) return expect(issuers().results[0]?.authenticationValue).toBeUndefined()
      const authenticated = {
        number: secret(challengeCard),
        amount: '1234',
        currency: '978',
        acsTransID,
        status: transStatus === 'A' ? 'A' : 'Y',
      } as const
      expect(verifyCavv(authenticated, issuers().results[0]?.authenticationValue ?? '')).toBe(true)
    },
  )

  it('has the listed outcome for each listed password, and none for a wrong password', () => {
    for (const [password, outcome] of oneTimePasswords.filter(([listed]) => /^\d+$/.test(listed))) {
      const { status = '', reason } = resultOfPassword(password) ?? {}
      expect([status, reason].filter(Boolean).join(' ')).toBe(outcome)
    }
    for (const wrong of ['', '0000', '12345', '1235', 'constructor', '00a1'])
      expect(resultOfPassword(wrong)).toBeUndefined()
  })

  it('is cancelled by its button', async () => {
    const { acsTransID } = await issuers().openChallenge()
    expect(
      cresOf(await issuers().sendForm('/acs/answer', { acsTransID, cancel: '1', password: '1234' })).transStatus,
    ).toBe('N')
    expect(issuers().results).toMatchObject([{ transStatus: 'N', transStatusReason: '01', challengeCancel: '01' }])
  })

  it('ends with the third wrong password', async () => {
    const { acsTransID } = await issuers().openChallenge()
    for (let attempt = 1; attempt < limits.passwordsMax; attempt++) {
      const again = await issuers().sendForm('/acs/answer', { acsTransID, password: '4321' })
      expect(again.body).toContain('aria-invalid="true"')
      expect(issuers().results).toEqual([])
    }
    expect(cresOf(await issuers().sendForm('/acs/answer', { acsTransID, password: '4321' })).transStatus).toBe('N')
    expect(issuers().results).toMatchObject([{ transStatus: 'N', transStatusReason: '19', interactionCounter: '03' }])
  })

  it('sends its result to the 3DS server once, even if it is answered several times', async () => {
    const { acsTransID } = await issuers().openChallenge()
    const replies = await Promise.all(
      ['1234', '1111', '1234'].map((password) => issuers().sendForm('/acs/answer', { acsTransID, password })),
    )
    replies.push(await issuers().sendForm('/acs/answer', { acsTransID, cancel: '1' }))
    expect(replies.map((reply) => cresOf(reply).transStatus)).toEqual(['Y', 'Y', 'Y', 'Y'])
    expect(issuers().results).toMatchObject([{ transStatus: 'Y' }])
  })

  it('repeats a result that was not accepted, a bounded number of times', async () => {
    issuers().failures = 2
    const { acsTransID } = await issuers().openChallenge()
    await issuers().sendForm('/acs/answer', { acsTransID, password: '1234' })
    expect(issuers().results).toHaveLength(3)
    issuers().failures = 99
    const other = await issuers().openChallenge()
    const reply = await issuers().sendForm('/acs/answer', { acsTransID: other.acsTransID, password: '1234' })
    expect(issuers().results).toHaveLength(3 + limits.resultAttemptsMax)
    expect(cresOf(reply).transStatus).toBe('Y')
  })

  it('ends by its timeout if no password is entered', async () => {
    const { acsTransID } = await issuers().openChallenge()
    issuers().nowMs += limits.challengeMs - 1
    await issuers().advance()
    expect(issuers().results).toEqual([])
    issuers().nowMs += 1
    await issuers().advance()
    expect(issuers().results).toMatchObject([{ transStatus: 'N', transStatusReason: '14', challengeCancel: '04' }])
    expect(cresOf(await issuers().sendForm('/acs/answer', { acsTransID, password: '1234' })).transStatus).toBe('N')
    expect(issuers().results).toHaveLength(1)
  })

  it('ends by its timeout even if the password arrives before the next tick', async () => {
    const { acsTransID } = await issuers().openChallenge()
    issuers().nowMs += limits.challengeMs
    expect(cresOf(await issuers().sendForm('/acs/answer', { acsTransID, password: '1234' })).transStatus).toBe('N')
    expect(issuers().results).toMatchObject([{ challengeCancel: '04' }])
  })

  it('ends by its timeout if no browser opens it', async () => {
    const ares = await issuers().authenticate(areqOf(challengeCard))
    issuers().nowMs += limits.challengeMs
    await issuers().advance()
    expect(issuers().results).toMatchObject([{ transStatus: 'N', challengeCancel: '05' }])
    const late = await issuers().sendForm('/acs/challenge', { creq: creqOf(ares) })
    expect([late.status, late.body]).toEqual([400, expect.stringContaining('301: acsTransID')])
  })

  it('is dropped a bounded time after its end', async () => {
    const { acsTransID } = await issuers().openChallenge()
    await issuers().sendForm('/acs/answer', { acsTransID, password: '1234' })
    issuers().nowMs += limits.endedChallengeMs
    await issuers().advance()
    expect((await issuers().sendForm('/acs/answer', { acsTransID, password: '1234' })).status).toBe(400)
  })

  it('of an older version or without a payment sends the fields of its version and category', async () => {
    const ares = await issuers().authenticate(areqOf(challengeCard, { messageVersion: '2.1.0' }))
    const creq = creqOf(ares, { messageVersion: '2.1.0' })
    expect((await issuers().sendForm('/acs/challenge', { creq })).status).toBe(200)
    await issuers().sendForm('/acs/answer', { acsTransID: ares.acsTransID, password: '1234' })
    expect(issuers().results).toMatchObject([{ messageVersion: '2.1.0', transStatus: 'Y' }])

    const npa = { messageCategory: '02', purchaseAmount: undefined, purchaseCurrency: undefined } as const
    const { acsTransID } = await issuers().openChallenge(npa)
    await issuers().sendForm('/acs/answer', { acsTransID, password: '3333' })
    expect(issuers().results[1]).toMatchObject({ messageCategory: '02', transStatus: 'U' })
    expect(issuers().results[1]?.messageExtension).toBeUndefined()
  })

  it.each([
    ['empty', () => '', '101'],
    ['malformed', () => '%%%', '101'],
    ['of an unknown transaction', (ares: MessageOf<'ARes'>) => creqOf({ ...ares, acsTransID: transactionId }), '301'],
    ['of another 3DS server', (ares: MessageOf<'ARes'>) => creqOf(ares, { threeDSServerTransID: sdkId }), '301'],
    ['of another version', (ares: MessageOf<'ARes'>) => creqOf(ares, { messageVersion: '2.1.0' }), '102'],
  ] as const)('request that is %s is refused; the challenge can still be shown', async (_name, createCReq, code) => {
    const ares = await issuers().authenticate(areqOf(challengeCard))
    const refused = await issuers().sendForm('/acs/challenge', { creq: createCReq(ares) })
    expect([refused.status, refused.body]).toEqual([400, expect.stringContaining(`3-D Secure ${code}`)])
    expect((await issuers().sendForm('/acs/challenge', { creq: creqOf(ares) })).status).toBe(200)
  })

  it('request that is repeated is refused, and the open challenge can still be answered', async () => {
    const ares = await issuers().openChallenge()
    const again = await issuers().sendForm('/acs/challenge', { creq: creqOf(ares) })
    expect([again.status, again.body]).toEqual([400, expect.stringContaining('301: acsTransID')])
    const { acsTransID } = ares
    expect(cresOf(await issuers().sendForm('/acs/answer', { acsTransID, password: '1234' })).transStatus).toBe('Y')
  })

  it('request with too much session data is refused', async () => {
    const ares = await issuers().authenticate(areqOf(challengeCard))
    const threeDSSessionData = 'x'.repeat(limits.sessionDataCharsMax + 1)
    const refused = await issuers().sendForm('/acs/challenge', { creq: creqOf(ares), threeDSSessionData })
    expect([refused.status, refused.body]).toEqual([400, expect.stringContaining('203: threeDSSessionData')])
  })

  it('cannot be answered before it is shown', async () => {
    const { acsTransID } = await issuers().authenticate(areqOf(challengeCard))
    expect((await issuers().sendForm('/acs/answer', { acsTransID, password: '1234' })).status).toBe(400)
    expect(issuers().results).toEqual([])
  })
})
