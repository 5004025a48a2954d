import { decodeMethodData, encodeMethodData } from '@tollgate/three-d-secure'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { limits } from '../limits.ts'
import {
  appFields,
  areqOf,
  challengeCard,
  creqOf,
  forwardedForm,
  testIssuers,
  transactionId,
} from './testing/test-issuers.ts'

const issuers = testIssuers()

describe('the method page', () => {
  it('returns to the notification address with the id of the transaction', async () => {
    const notificationURL = 'https://pay.example/3ds/method'
    const threeDSMethodData = encodeMethodData({
      threeDSServerTransID: transactionId,
      threeDSMethodNotificationURL: notificationURL,
    })
    const { target, fields } = forwardedForm(await issuers().sendForm('/acs/method', { threeDSMethodData }))
    expect(target).toBe(notificationURL)
    expect(decodeMethodData(fields['threeDSMethodData'] ?? '')).toEqual({ threeDSServerTransID: transactionId })
  })

  it.each(['', 'nonsense', encodeMethodData({ threeDSServerTransID: transactionId })])(
    'refuses %j',
    async (threeDSMethodData) => {
      const reply = await issuers().sendForm('/acs/method', { threeDSMethodData })
      expect([reply.status, reply.body]).toEqual([400, expect.stringContaining('203: threeDSMethodData')])
    },
  )
})

describe('decoupled authentication', () => {
  const decoupled = { threeDSRequestorDecReqInd: 'Y', threeDSRequestorDecMaxTime: '00005' } as const

  it.each([
    ['in a browser', {}],
    ['in an app', appFields],
    [
      'without the cardholder',
      { deviceChannel: '03', threeRIInd: '01', recurringExpiry: '20301231', recurringFrequency: '30' },
    ],
  ] as const)('%s ends after its delay', async (_name, changes) => {
    const ares = await issuers().authenticate(areqOf(challengeCard, { ...decoupled, ...changes }))
    expect(ares).toMatchObject({ transStatus: 'D', acsDecConInd: 'Y', authenticationType: '04' })
    issuers().nowMs += limits.decoupledMs - 1
    await issuers().advance()
    expect(issuers().results).toEqual([])
    issuers().nowMs += 1
    await Promise.all([issuers().advance(), issuers().advance()])
    expect(issuers().results).toMatchObject([{ transStatus: 'Y', authenticationType: '04', eci: '05' }])
    expect(issuers().results[0]?.interactionCounter).toBeUndefined()
  })

  it('has no page', async () => {
    const ares = await issuers().authenticate(areqOf(challengeCard, decoupled))
    expect((await issuers().sendForm('/acs/challenge', { creq: creqOf(ares) })).status).toBe(400)
  })
})

describe('a request', () => {
  it.each([
    ['/', 'GET', 404],
    ['/constructor', 'POST', 404],
    ['/ds', 'GET', 404],
  ] as const)('to %s by %s is answered with %d', async (path, method, status) =>
    expect((await issuers().send(path, '', method)).status).toBe(status),
  )

  it('with any body is answered without an exception', async () => {
    const paths = ['/ds', '/acs/method', '/acs/challenge', '/acs/answer', '/acs/app']
    const names = ['creq', 'threeDSSessionData', 'threeDSMethodData', 'acsTransID', 'password', 'cancel']
    const form = fc.dictionary(fc.constantFrom(...names), fc.string(), { maxKeys: 6 })
    const bodies = fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc.json().map((json) => Buffer.from(json)),
      form.map((fields) => Buffer.from(new URLSearchParams(fields).toString())),
    )
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...paths), bodies, async (path, body) => {
        const reply = await issuers().send(path, body)
        expect([200, 400]).toContain(reply.status)
      }),
      { numRuns: 300 },
    )
    expect(issuers().results).toEqual([])
  })
})
