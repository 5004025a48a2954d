import { decodeForm } from '@tollgate/contract'
import { afterAll, expect, test } from 'vitest'
import type { EntitySettings } from '../directory/entity-settings.ts'
import { formOf, testGateway } from '@tollgate/gateway/testing'
import { accountRequest } from '../parameters/account-request.ts'
import { systemHead } from '../system-head.ts'
import { standaloneAuthentication } from './standalone-authentication.ts'
import { testChannel } from '../testing/test-channel.ts'

const tollgate = await testGateway({ directoryServer: { send: async () => undefined } })
afterAll(() => tollgate.close())
const { gateway } = tollgate

const card = { 'card.number': '4200000000000026', 'card.expiryMonth': '05', 'card.expiryYear': '2034' }
const bankAccount = { paymentBrand: 'CLIQ', 'bankAccount.holder': 'Jane Jones', 'bankAccount.number': '532013000' }
const live = { environment: 'live' } as const

interface Changes {
  readonly settings?: EntitySettings
  readonly form?: Readonly<Record<string, string>>
  readonly account?: Readonly<Record<string, string>>
  readonly gateway?: Partial<typeof gateway>
}

/** No guard refuses; the directory server has no card range with the card. */
const NOT_ENROLLED = '000.400.109'

test.each<[label: string, code: string, changes: Changes]>([
  ['a card', NOT_ENROLLED, {}],
  ['a disabled channel', '600.200.201', { settings: { enabled: false } }],
  ['an account without an issuer', '100.100.501', { account: { ...bankAccount, 'bankAccount.country': 'JO' } }],
  ['a currency that the channel does not accept', '600.200.500', { settings: { currencies: ['USD'] } }],
  ['a currency that the channel accepts', NOT_ENROLLED, { settings: { currencies: ['EUR'] } }],
  ['an amount of zero', '100.550.300', { form: { amount: '0.00' } }],
  ['an amount of zero without a payment', NOT_ENROLLED, { form: { amount: '0.00', 'threeDSecure.npa': 'true' } }],
  ['a gateway without a directory server', '000.400.104', { gateway: { issuers: undefined } }],
  ['a merchant not registered with the network', '100.390.106', { gateway: live }],
  ['an invalid deviceInfo', '200.300.404', { form: { 'threeDSecure.deviceInfo': 'x' } }],
])(
  'a standalone authentication with %s is answered with %s',
  async (_label, code, { settings = {}, form, account = card, ...changes }) => {
    const context = { ...gateway, ...changes.gateway }
    const channel = testChannel(settings)
    const sent = decodeForm(Buffer.from(formOf({ amount: '92.00', currency: 'EUR', ...account, ...form })))
    const head = systemHead({ requestId: 'r', atMs: gateway.clock.now() }, channel, sent)
    const { answer } = await standaloneAuthentication(context, accountRequest('createThreeDSecure', head))
    expect(answer.code).toBe(code)
  },
)
