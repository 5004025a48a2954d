import { type BrandCode, parametersOf } from '@tollgate/contract'
import { createSimulator, type RemoteConnector } from '@tollgate/connectors'
import { paymentRefusal, type PaymentType } from '@tollgate/domain'
import { describe, expect, test } from 'vitest'
import type { EntitySettings } from '../directory/entity-settings.ts'
import { acceptanceSubject, type AcceptanceContext } from './acceptance.ts'
import { usable } from '../accounts/instrument.ts'
import { accountRequest } from '../parameters/account-request.ts'
import { testChannel } from '../testing/test-channel.ts'

const issuers = { send: async () => undefined, ranges: { find: async () => undefined } }
const emptyMaskedAccount = { bin: null, last4: null, holder: null, expiryMonth: null, expiryYear: null, details: {} }
const redirect: RemoteConnector = {
  kind: 'remote',
  name: 'bank',
  send: () => Promise.reject(new Error('not connected')),
  reverse: () => Promise.reject(new Error('not connected')),
}

const acquirers: AcceptanceContext['acquirers'] = {
  simulator: createSimulator(),
  redirect,
  accounts: { find: () => undefined, names: () => [] },
}

const caller = { tokenId: '', entityId: 'c', rights: [] }
const head = { requestId: '', atMs: 0, caller, entityId: 'c', channels: [], claim: undefined }

interface Changes {
  readonly settings?: EntitySettings
  readonly form?: Readonly<Record<string, string>>
  readonly account?: 'card' | 'virtualAccount'
  readonly brand?: BrandCode
  readonly type?: PaymentType
  readonly context?: Partial<AcceptanceContext>
}

/** The decision of a channel on a debit of a card with changes: 'accepted', or the result code of the refusal. */
function decision({ settings = {}, form = {}, account = 'card', brand = 'VISA', type = 'DB', context }: Changes) {
  const channel = testChannel(settings)
  const instrument = usable({ account, brand, number: undefined, cvv: undefined, masked: emptyMaskedAccount })
  const request = accountRequest('createPayment', {
    ...head,
    parameters: parametersOf({ amount: '92.00', currency: 'EUR', ...form }),
  })
  const acceptanceContext = { acquirers, issuers, environment: 'test' as const, ...context }
  return (
    paymentRefusal(acceptanceSubject(acceptanceContext, { request, channel, type }, instrument))?.code ?? 'accepted'
  )
}

const shopperResultUrl = 'https://shop.example/done'
const redirectPayment: Changes = { account: 'virtualAccount', brand: 'IDEAL' }
const withThreeDSecure: Changes = { settings: { threeDSecure: 'always' }, form: { shopperResultUrl } }
const merchantInitiated = { 'threeDSecure.channel': '3' }

describe('the decision of a channel on', () => {
  test.each<[payment: string, outcome: string, changes: Changes]>([
    ['a debit of a card', 'accepted', {}],
    ['a debit, if the channel is disabled', '600.200.201', { settings: { enabled: false } }],
    ['a brand that the channel does not accept', '600.200.500', { settings: { brands: ['MASTER'] } }],
    ['one of the brands that the channel accepts', 'accepted', { settings: { brands: ['MASTER', 'VISA'] } }],
    [
      'a redirect brand without a connector',
      '600.200.200',
      { ...redirectPayment, form: { shopperResultUrl }, context: { acquirers: { ...acquirers, redirect: undefined } } },
    ],
    ['a redirect brand without shopperResultUrl', '200.300.404', redirectPayment],
    ['a redirect brand with shopperResultUrl', 'accepted', { ...redirectPayment, form: { shopperResultUrl } }],
    [
      'a payout with processing code FUNDING',
      '600.200.310',
      { type: 'CD', form: { transactionProcessingCode: 'FUNDING' } },
    ],
    ['a debit with processing code PAYMENT', '600.200.310', { form: { transactionProcessingCode: 'PAYMENT' } }],
    ['a debit with processing code FUNDING', 'accepted', { form: { transactionProcessingCode: 'FUNDING' } }],
    ['a currency that the channel does not accept', '600.200.500', { settings: { currencies: ['USD'] } }],
    ['one of the currencies that the channel accepts', 'accepted', { settings: { currencies: ['USD', 'EUR'] } }],
    ['a request for 3RI, if 3-D Secure is off', '600.200.201', { form: merchantInitiated }],
    ['a request for 3RI, if 3-D Secure is on', 'accepted', { ...withThreeDSecure, form: merchantInitiated }],
    [
      'a card that a terminal read, if 3-D Secure is demanded',
      '600.200.201',
      { ...withThreeDSecure, form: { shopperResultUrl, 'pos.entryMode': 'ICC' } },
    ],
    [
      'a card that a terminal read, if the channel is a point of sale with threeDSecure=always',
      'accepted',
      { settings: { threeDSecure: 'always', pointOfSale: true }, form: { 'pos.entryMode': 'ICC' } },
    ],
    [
      'demanded 3-D Secure without a directory server',
      '600.200.201',
      { ...withThreeDSecure, context: { issuers: undefined } },
    ],
    [
      'demanded 3-D Secure with an invalid deviceInfo',
      '200.300.404',
      { ...withThreeDSecure, form: { 'threeDSecure.deviceInfo': 'x' } },
    ],
    ['demanded 3-D Secure without shopperResultUrl', '200.300.404', { ...withThreeDSecure, form: {} }],
    ['demanded 3-D Secure with shopperResultUrl', 'accepted', withThreeDSecure],
  ])('%s: %s', (_payment, outcome, changes) => {
    expect(decision(changes)).toBe(outcome)
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

/** The decision, in the live environment, of a channel that demands 3-D Secure. */
const decisionInLive = (settings: EntitySettings, brand: BrandCode = 'VISA') =>
  decision({
    ...withThreeDSecure,
    brand,
    settings: { ...withThreeDSecure.settings, ...settings },
    context: { environment: 'live' },
  })

test('in the live environment, 3-D Secure requires a merchant that is registered with the network of the card', () => {
  expect(decisionInLive({})).toBe('100.390.106')
  expect(decisionInLive({ authentication })).toBe('accepted')
  expect(decisionInLive({ authentication: onlyVisa })).toBe('accepted')
  expect(decisionInLive({ authentication: onlyVisa }, 'JCB')).toBe('100.390.106')
})
