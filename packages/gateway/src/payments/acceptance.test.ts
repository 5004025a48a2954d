import { preparedForm } from '@tollgate/contract'
import { expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import { type EntitySettings, channelSettings } from '../settings.ts'
import { refusalOf } from './acceptance.ts'
import { usable } from './instruments/instrument.ts'

const authentication = {
  acquirerBin: '400000',
  acquirerMerchantId: 'M-1',
  mcc: '5411',
  country: 'AT',
  merchantName: 'Tea',
  requestorId: 'R-1',
  requestorName: 'Tea',
  requestorUrl: 'https://tea.example',
}
const issuers = { ask: async () => undefined, ranges: { find: async () => undefined } }
const face = { bin: null, last4: null, holder: null, expiryMonth: null, expiryYear: null, details: {} }
const config = readConfig({ TOLLGATE_DATA: '/nowhere' })

/** What a channel says to a payment with a card. */
function refusal(environment: 'test' | 'live', settings: EntitySettings, brand: 'VISA' | 'JCB' = 'VISA') {
  const channel = { id: 'c', merchant: 'm', name: 'Tea', settings: channelSettings([settings]), risk: undefined }
  const form = preparedForm({ shopperResultUrl: 'https://shop.example/done' })
  const instrument = usable({ account: 'card', brand, number: undefined, cvv: undefined, face })
  const reach = { redirects: undefined, issuers, config: { ...config, environment } }
  return refusalOf({ reach, channel, form, instrument, type: 'DB' })?.code
}

test('in live nobody is authenticated for a merchant whom the card’s network does not know', () => {
  const always = { threeDSecure: 'always' } as const
  expect(refusal('test', always)).toBeUndefined()
  expect(refusal('live', always)).toBe('100.390.106')
  expect(refusal('live', { ...always, authentication })).toBeUndefined()
  const { requestorId: _, ...others } = authentication
  const visa = { ...others, networks: { visa: { requestorId: 'R-1' } } }
  expect([
    refusal('live', { ...always, authentication: visa }),
    refusal('live', { ...always, authentication: visa }, 'JCB'),
  ]).toEqual([undefined, '100.390.106'])
})
