import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeBase64Url, encodeBase64Url } from './base64url.ts'
import { decodeMessage, encodeMessage } from './encoded-message.ts'
import { cartesBancairesRequest, cartesBancairesResponse } from './extensions/cartes-bancaires.ts'
import { readCartesBancaires, requestedItem } from './extensions/cartes-bancaires.ts'
import {
  authenticatedAmount,
  readAuthenticatedAmount,
  readSimulatorWish,
  simulatorWish,
} from './extensions/simulator.ts'
import { fault } from './fault.ts'
import { limits } from './limits.ts'
import type { MessageOf } from './messages/messages.ts'
import { decodeMethodData, encodeMethodData } from './method-data.ts'

const id = 'd290f1ee-6c54-4b01-90e6-d701748f0851'

describe('base64url', () => {
  it('is read back', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        const text = encodeBase64Url(bytes)
        expect(text).not.toMatch(/[+/=]/)
        expect(new Uint8Array(decodeBase64Url(text, 1_000) ?? [9])).toEqual(bytes)
      }),
    )
  })

  it.each(['YQ==', 'YQ=', 'Y', 'YR', 'a+b/', 'a b', 'Y\n', 'é'])('%j is none', (text) => {
    expect(decodeBase64Url(text, 100)).toBeUndefined()
  })

  it('has a bound', () => expect(decodeBase64Url('aaaa', 3)).toBeUndefined())
})

describe('a message in a form', () => {
  const creq: MessageOf<'CReq'> = {
    messageVersion: '2.1.0',
    threeDSServerTransID: id,
    acsTransID: id,
    challengeWindowSize: '05',
  }
  const browser = { deviceChannel: '02' } as const

  it('is read back', () =>
    expect(decodeMessage('CReq', encodeMessage('CReq', creq, browser), browser)).toEqual({ ok: creq }))

  it.each(['', '=', 'creq', `${encodeMessage('CReq', creq)}=`, 'A'.repeat(limits.encodedCharsMax + 1)])(
    'is refused where it is none: %.20s',
    (text) => expect(decodeMessage('CReq', text)).toHaveProperty('fault.errorCode', '101'),
  )

  it('is refused where it is another one', () => {
    expect(decodeMessage('CRes', encodeMessage('CReq', creq))).toEqual({ fault: fault('101', 'messageType') })
  })
})

describe('method data', () => {
  const there = { threeDSServerTransID: id, threeDSMethodNotificationURL: 'https://pay.example/method' }
  const back = { threeDSServerTransID: id }
  const encoded = (value: unknown): string => encodeBase64Url(Buffer.from(JSON.stringify(value)))

  it.each([there, back])('%j are read back', (data) => expect(decodeMethodData(encodeMethodData(data))).toEqual(data))

  it.each([
    ['no base64url', '{}'],
    ['no JSON', 'aaaa'],
    ['a list', encoded([id])],
    ['no id', encoded({ threeDSMethodNotificationURL: 'https://pay.example' })],
    ['an id that is none', encoded({ threeDSServerTransID: `${id}x` })],
    ['an address that runs', encoded({ ...there, threeDSMethodNotificationURL: 'javascript:alert(1)' })],
    [
      'an address that is too long',
      encoded({ ...there, threeDSMethodNotificationURL: `https://x.example/${'x'.repeat(256)}` }),
    ],
    ['two ids', encodeBase64Url(Buffer.from(`{"threeDSServerTransID":"${id}","threeDSServerTransID":"${id}"}`))],
    ['nested ones', encoded({ ...there, more: [] })],
    ['too many', encoded({ ...there, more: 'x'.repeat(5_000) })],
  ])('are refused where they are %s', (_, text) => expect(decodeMethodData(text)).toBeUndefined())
})

describe('extensions', () => {
  it('tell Cartes Bancaires what the merchant knows', () => {
    const extensions = cartesBancairesRequest({ 'CB-ITEMSNB': '03', 'CB-USECASE': '01' })
    expect(extensions.map(({ id: own }) => own)).toEqual(['A000000042_CB-ITEMSNB', 'A000000042_CB-USECASE'])
    expect(requestedItem(extensions, 'CB-ITEMSNB')).toBe('03')
    expect(requestedItem(extensions, 'CB-SCORE_MERCHANT')).toBeUndefined()
  })

  it('tell what Cartes Bancaires answers, and nothing that is malformed', () => {
    const answer = { algorithm: '4', exemption: 'AAAA', score: '42' }
    expect(readCartesBancaires(cartesBancairesResponse(answer))).toEqual(answer)
    expect(readCartesBancaires(cartesBancairesResponse({ algorithm: '9', exemption: 'A', score: '100' }))).toEqual({
      algorithm: undefined,
      exemption: undefined,
      score: undefined,
    })
    expect(readCartesBancaires(undefined).score).toBeUndefined()
  })

  it('tell the simulator what the merchant wishes', () => {
    expect(readSimulatorWish([simulatorWish({ enrolled: true, flow: 'challenge' })])).toEqual({
      enrolled: true,
      flow: 'challenge',
    })
    const odd = { name: 'x', id: 'tollgate.simulator', criticalityIndicator: false, data: { enrolled: 1, flow: 'up' } }
    expect(readSimulatorWish([odd])).toEqual({ enrolled: undefined, flow: undefined })
    expect(readSimulatorWish(undefined)).toEqual({ enrolled: undefined, flow: undefined })
  })

  it('tell the amount that was authenticated', () => {
    const amount = { purchaseAmount: '1234', purchaseCurrency: '978' }
    expect(readAuthenticatedAmount([authenticatedAmount(amount)])).toEqual(amount)
    expect(readAuthenticatedAmount([simulatorWish({ enrolled: true })])).toBeUndefined()
  })
})
