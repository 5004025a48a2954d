import { type BrandCode, parametersOf } from '@tollgate/contract'
import { paymentRefusal, type PaymentType } from '@tollgate/domain'
import { describe, expect, test } from 'vitest'
import { type EntitySettings, channelSettings } from '../directory/entity-settings.ts'
import { acceptanceSubject, type Connections } from './acceptance.ts'
import { usable } from '../accounts/instrument.ts'
import { accountRequest } from '../parameters/account-request.ts'

const issuers = { send: async () => undefined, ranges: { find: async () => undefined } }
const masked = { bin: null, last4: null, holder: null, expiryMonth: null, expiryYear: null, details: {} }
const redirect: Connections['acquirers']['redirect'] = {
  kind: 'remote',
  name: 'bank',
  send: () => Promise.reject(new Error('not connected')),
  reverse: () => Promise.reject(new Error('not connected')),
}

const caller = { tokenId: '', entityId: 'c', rights: [] }
const head = { requestId: '', atMs: 0, caller, entityId: 'c', channels: [], claim: undefined }

interface Changes {
  readonly settings?: EntitySettings
  readonly form?: Readonly<Record<string, string>>
  readonly account?: 'card' | 'virtualAccount'
  readonly brand?: BrandCode
  readonly type?: PaymentType
  readonly reach?: Partial<Connections>
}

/** The result code with which a channel refuses a debit of a card, or a request with the given changes. */
function refusal({ settings = {}, form = {}, account = 'card', brand = 'VISA', type = 'DB', reach }: Changes) {
  const channel = { id: 'c', merchant: 'm', name: 'Tea', settings: channelSettings([settings]), risk: undefined }
  const instrument = usable({ account, brand, number: undefined, cvv: undefined, masked })
  const request = accountRequest('createPayment', {
    ...head,
    parameters: parametersOf({ amount: '92.00', currency: 'EUR', ...form }),
  })
  const connected = { acquirers: { redirect }, issuers, environment: 'test' as const, ...reach }
  return paymentRefusal(acceptanceSubject(connected, { request, channel, type }, instrument))?.code
}

const shopperResultUrl = 'https://shop.example/done'
const bank: Changes = { account: 'virtualAccount', brand: 'IDEAL' }
const secure: Changes = { settings: { threeDSecure: 'always' }, form: { shopperResultUrl } }
const merchantInitiated = { 'threeDSecure.channel': '3' }

describe('a channel', () => {
  test.each<[condition: string, code: string | undefined, changes: Changes]>([
    ['accepts a debit of a card', undefined, {}],
    ['is disabled', '600.200.201', { settings: { enabled: false } }],
    ['does not accept the brand', '600.200.500', { settings: { brands: ['MASTER'] } }],
    ['accepts the brand', undefined, { settings: { brands: ['MASTER', 'VISA'] } }],
    [
      'has no connector for the redirect brand',
      '600.200.200',
      { ...bank, form: { shopperResultUrl }, reach: { acquirers: { redirect: undefined } } },
    ],
    ['has a redirect brand, and the request has no shopperResultUrl', '200.300.404', bank],
    ['accepts a redirect brand', undefined, { ...bank, form: { shopperResultUrl } }],
    [
      'has a payout with processing code FUNDING',
      '600.200.310',
      { type: 'CD', form: { transactionProcessingCode: 'FUNDING' } },
    ],
    ['has a debit with processing code PAYMENT', '600.200.310', { form: { transactionProcessingCode: 'PAYMENT' } }],
    ['has a debit with processing code FUNDING', undefined, { form: { transactionProcessingCode: 'FUNDING' } }],
    ['does not accept the currency', '600.200.500', { settings: { currencies: ['USD'] } }],
    ['accepts the currency', undefined, { settings: { currencies: ['USD', 'EUR'] } }],
    ['has no 3-D Secure, and the request demands 3RI', '600.200.201', { form: merchantInitiated }],
    ['has 3-D Secure, and the request demands 3RI', undefined, { ...secure, form: merchantInitiated }],
    [
      'demands 3-D Secure, and a terminal read the card',
      '600.200.201',
      { ...secure, form: { shopperResultUrl, 'pos.entryMode': 'ICC' } },
    ],
    [
      'is a point of sale, and a terminal read the card',
      undefined,
      { settings: { threeDSecure: 'always', pointOfSale: true }, form: { 'pos.entryMode': 'ICC' } },
    ],
    ['demands 3-D Secure without a directory server', '600.200.201', { ...secure, reach: { issuers: undefined } }],
    [
      'demands 3-D Secure, and deviceInfo is invalid',
      '200.300.404',
      { ...secure, form: { 'threeDSecure.deviceInfo': 'x' } },
    ],
    ['demands 3-D Secure, and the request has no shopperResultUrl', '200.300.404', { ...secure, form: {} }],
    ['demands 3-D Secure, and the request has a shopperResultUrl', undefined, secure],
  ])('%s: %s', (_condition, code, changes) => {
    expect(refusal(changes)).toBe(code)
  })
})

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
const { requestorId: _, ...withoutRequestorId } = authentication
const onlyVisa = { ...withoutRequestorId, networks: { visa: { requestorId: 'R-1' } } }

/** The refusal by a channel in live that demands 3-D Secure. */
const refusalInLive = (settings: EntitySettings, brand: BrandCode = 'VISA') =>
  refusal({
    ...secure,
    brand,
    settings: { ...secure.settings, ...settings },
    reach: { environment: 'live' },
  })

test('in live a merchant must be registered with the network of the card', () => {
  expect(refusalInLive({})).toBe('100.390.106')
  expect(refusalInLive({ authentication })).toBeUndefined()
  expect(refusalInLive({ authentication: onlyVisa })).toBeUndefined()
  expect(refusalInLive({ authentication: onlyVisa }, 'JCB')).toBe('100.390.106')
})
