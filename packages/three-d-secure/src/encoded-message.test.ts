import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeBase64Url, encodeBase64Url } from './base64url.ts'
import { decodeMessage, encodeMessage } from './encoded-message.ts'
import {
  cartesBancairesRequest,
  cartesBancairesResponse,
  readCartesBancairesResponse,
  readCartesBancairesItem,
} from './extensions/cartes-bancaires.ts'
import {
  authenticatedAmount,
  readAuthenticatedAmount,
  readSimulatorOptions,
  simulatorOptions,
} from './extensions/simulator.ts'
import { fault } from './fault.ts'
import { limits } from './limits.ts'
import type { MessageOf } from './messages/messages.ts'
import { decodeMethodData, encodeMethodData } from './method-data.ts'

const id = 'd290f1ee-6c54-4b01-90e6-d701748f0851'

describe('base64url', () => {
  it('decodes to the same bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        const text = encodeBase64Url(bytes)
        expect(text).not.toMatch(/[+/=]/)
        expect(new Uint8Array(decodeBase64Url(text, 1_000) ?? [9])).toEqual(bytes)
      }),
    )
  })

  it.each(['YQ==', 'YQ=', 'Y', 'YR', 'a+b/', 'a b', 'Y\n', 'é'])('%j is refused', (text) => {
    expect(decodeBase64Url(text, 100)).toBeUndefined()
  })

  it('is refused above its limit', () => expect(decodeBase64Url('aaaa', 3)).toBeUndefined())
})

describe('a message in a form', () => {
  const creq: MessageOf<'CReq'> = {
    messageVersion: '2.1.0',
    threeDSServerTransID: id,
    acsTransID: id,
    challengeWindowSize: '05',
  }
  const browser = { deviceChannel: '02' } as const

  it('decodes to the same message', () =>
    expect(decodeMessage('CReq', encodeMessage('CReq', creq, browser), browser)).toEqual({ ok: creq }))

  it.each([
    ['an empty text', ''],
    ['padding without data', '='],
    ['base64url of bytes that are not UTF-8', 'creq'],
    ['a message with padding', `${encodeMessage('CReq', creq)}=`],
    ['a text above the limit', 'A'.repeat(limits.encodedCharsMax + 1)],
  ])('is refused if it is malformed or too long: %s', (_name, text) =>
    expect(decodeMessage('CReq', text)).toHaveProperty('fault.errorCode', '101'),
  )

  it('is refused if its type is not the expected type', () => {
    expect(decodeMessage('CRes', encodeMessage('CReq', creq))).toEqual({ fault: fault('101', 'messageType') })
  })
})

describe('method data', () => {
  const request = { threeDSServerTransID: id, threeDSMethodNotificationURL: 'https://pay.example/method' }
  const response = { threeDSServerTransID: id }
  const encode = (value: unknown): string => encodeBase64Url(Buffer.from(JSON.stringify(value)))

  it.each([request, response])('%j decode to the same data', (data) =>
    expect(decodeMethodData(encodeMethodData(data))).toEqual(data),
  )

  it.each([
    ['text that is not base64url', '{}'],
    ['text that is not JSON', 'aaaa'],
    ['a list', encode([id])],
    ['no id', encode({ threeDSMethodNotificationURL: 'https://pay.example' })],
    ['an invalid id', encode({ threeDSServerTransID: `${id}x` })],
    ['an address that is not on the web', encode({ ...request, threeDSMethodNotificationURL: 'javascript:alert(1)' })],
    [
      'an address that is too long',
      encode({ ...request, threeDSMethodNotificationURL: `https://x.example/${'x'.repeat(256)}` }),
    ],
    ['two ids', encodeBase64Url(Buffer.from(`{"threeDSServerTransID":"${id}","threeDSServerTransID":"${id}"}`))],
    ['nested data', encode({ ...request, more: [] })],
    ['data above the limit', encode({ ...request, more: 'x'.repeat(5_000) })],
  ])('are refused: %s', (_name, text) => expect(decodeMethodData(text)).toBeUndefined())
})

describe('extensions', () => {
  it('of a request to Cartes Bancaires contain the merchant’s data', () => {
    const extensions = cartesBancairesRequest({ 'CB-ITEMSNB': '03', 'CB-USECASE': '01' })
    expect(extensions.map(({ id: extensionId }) => extensionId)).toEqual([
      'A000000042_CB-ITEMSNB',
      'A000000042_CB-USECASE',
    ])
    expect(readCartesBancairesItem(extensions, 'CB-ITEMSNB')).toBe('03')
    expect(readCartesBancairesItem(extensions, 'CB-SCORE_MERCHANT')).toBeUndefined()
  })

  it('of a response of Cartes Bancaires are read; malformed extensions are ignored', () => {
    const answer = { algorithm: '4', exemption: 'AAAA', score: '42' }
    expect(readCartesBancairesResponse(cartesBancairesResponse(answer))).toEqual(answer)
    expect(
      readCartesBancairesResponse(cartesBancairesResponse({ algorithm: '9', exemption: 'A', score: '100' })),
    ).toEqual({
      algorithm: undefined,
      exemption: undefined,
      score: undefined,
    })
    expect(readCartesBancairesResponse(undefined).score).toBeUndefined()
  })

  it('for the simulator contain the merchant’s options; malformed options are ignored', () => {
    expect(readSimulatorOptions([simulatorOptions({ enrolled: true, flow: 'challenge' })])).toEqual({
      enrolled: true,
      flow: 'challenge',
    })
    const malformed = {
      name: 'x',
      id: 'tollgate.simulator',
      criticalityIndicator: false,
      data: { enrolled: 1, flow: 'up' },
    }
    expect(readSimulatorOptions([malformed])).toEqual({ enrolled: undefined, flow: undefined })
    expect(readSimulatorOptions(undefined)).toEqual({ enrolled: undefined, flow: undefined })
  })

  it('of the simulator contain the authenticated amount', () => {
    const amount = { purchaseAmount: '1234', purchaseCurrency: '978' }
    expect(readAuthenticatedAmount([authenticatedAmount(amount)])).toEqual(amount)
    expect(readAuthenticatedAmount([simulatorOptions({ enrolled: true })])).toBeUndefined()
  })
})
