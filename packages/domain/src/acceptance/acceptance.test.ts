import { expect, test } from 'vitest'
import {
  paymentRefusal,
  type PaymentSubject,
  riskCheckRefusal,
  standaloneAuthenticationRefusal,
  type StandaloneAuthenticationSubject,
} from './acceptance.ts'
import type { AcceptanceSettings } from './acceptance-settings.ts'

type Operation = 'payment' | 'register' | 'standaloneAuthentication' | 'riskCheck'
type Changes = Partial<Omit<PaymentSubject & StandaloneAuthenticationSubject, 'settings'>> & {
  readonly settings?: Partial<AcceptanceSettings>
}

const unrestricted: AcceptanceSettings = {
  enabled: true,
  brands: undefined,
  currencies: undefined,
  shopperResultOrigins: undefined,
  threeDSecure: 'off',
  pointOfSale: false,
  offlineSales: false,
}

/** Debit of a card, which the unrestricted channel accepts. */
const debit: Omit<PaymentSubject & StandaloneAuthenticationSubject, 'settings'> = {
  returnAddress: undefined,
  currency: 'EUR',
  amountMinor: 9200,
  isNonPayment: false,
  hasIssuer: true,
  hasNumber: true,
  hasDirectoryServers: true,
  isRequestorRegistered: true,
  hasInvalidDeviceInfo: false,
  type: 'DB',
  brand: 'VISA',
  createRegistration: false,
  redirected: false,
  isProcessedByProvider: false,
  hasConnector: true,
  processingCode: undefined,
  demandsThreeDSecure: false,
  marksMerchantInitiated: false,
  hasProof: false,
  isCardPresent: false,
  isApprovedOffline: false,
  hasTerminalNumber: false,
  canAuthenticate: true,
}

function refusal(operation: Operation, changes: Changes) {
  const subject = { ...debit, ...changes, settings: { ...unrestricted, ...changes.settings } }
  const { settings, returnAddress, currency, amountMinor, isNonPayment, hasIssuer, hasNumber } = subject
  const { hasDirectoryServers, isRequestorRegistered, hasInvalidDeviceInfo } = subject
  switch (operation) {
    case 'payment':
      return paymentRefusal(subject)
    case 'register':
      return paymentRefusal({ ...subject, type: undefined, createRegistration: true })
    case 'standaloneAuthentication':
      return standaloneAuthenticationRefusal({
        settings,
        returnAddress,
        currency,
        amountMinor,
        isNonPayment,
        hasIssuer,
        hasNumber,
        hasDirectoryServers,
        isRequestorRegistered,
        hasInvalidDeviceInfo,
      })
    case 'riskCheck':
      return riskCheckRefusal(settings)
  }
}

const ok = undefined
const redirect: Changes = {
  brand: 'IDEAL',
  redirected: true,
  isProcessedByProvider: true,
  hasNumber: false,
  hasIssuer: false,
}
const shop = new Set(['https://shop.example'])
const returnAddress = 'https://shop.example/done'
const demandsThreeDSecure = true
const offlineSale: Changes = { isApprovedOffline: true, hasTerminalNumber: true, settings: { offlineSales: true } }

type Code = string | undefined
type Row = [
  name: string,
  changes: Changes,
  payment: Code,
  register: Code,
  standaloneAuthentication: Code,
  riskCheck: Code,
]

const table: readonly Row[] = [
  ['a card', {}, ok, ok, ok, ok],
  ['a disabled channel', { settings: { enabled: false } }, '600.200.201', '600.200.201', '600.200.201', '600.200.201'],
  [
    'a return address that is not allowed, on a disabled channel',
    { settings: { enabled: false, shopperResultOrigins: shop }, returnAddress: 'https://other.example/' },
    '600.300.211',
    '600.300.211',
    '600.300.211',
    '600.200.201',
  ],
  ['an allowed return address', { settings: { shopperResultOrigins: shop }, returnAddress }, ok, ok, ok, ok],
  [
    'an address of an app that is not allowed',
    { settings: { shopperResultOrigins: shop }, returnAddress: 'shop:done' },
    '600.300.211',
    '600.300.211',
    '600.300.211',
    ok,
  ],
  [
    'an allowed address of an app',
    { settings: { shopperResultOrigins: new Set(['shop:']) }, returnAddress: 'shop:done' },
    ok,
    ok,
    ok,
    ok,
  ],
  ['an encrypted card', { hasNumber: false }, ok, '100.150.100', '100.100.501', ok],
  [
    'an encrypted card to be stored',
    { hasNumber: false, createRegistration: true },
    '100.150.100',
    '100.150.100',
    '100.100.501',
    ok,
  ],
  ['an account without an issuer', { hasIssuer: false }, ok, ok, '100.100.501', ok],
  ['a brand that is not accepted', { settings: { brands: new Set(['MASTER']) } }, '600.200.500', '600.200.500', ok, ok],
  ['one of several accepted brands', { settings: { brands: new Set(['MASTER', 'VISA']) } }, ok, ok, ok, ok],
  [
    'a redirect brand without a provider',
    { ...redirect, returnAddress, hasConnector: false },
    '600.200.200',
    '600.200.310',
    '100.100.501',
    ok,
  ],
  ['a redirect brand without a return address', redirect, '200.300.404', '600.200.310', '100.100.501', ok],
  ['a redirect brand', { ...redirect, returnAddress }, ok, '600.200.310', '100.100.501', ok],
  ['FUNDING by a payout', { type: 'CD', processingCode: 'FUNDING' }, '600.200.310', ok, ok, ok],
  ['PAYMENT by a debit', { processingCode: 'PAYMENT' }, '600.200.310', ok, ok, ok],
  ['FUNDING by a debit', { processingCode: 'FUNDING' }, ok, ok, ok, ok],
  ['an offline sale', offlineSale, ok, ok, ok, ok],
  ['an offline sale as a preauthorisation', { ...offlineSale, type: 'PA' }, '600.200.310', ok, ok, ok],
  ['an offline sale on another channel', { ...offlineSale, settings: {} }, '600.200.201', ok, ok, ok],
  ['an offline sale without a number', { ...offlineSale, hasTerminalNumber: false }, '200.300.404', ok, ok, ok],
  [
    'a currency that is not accepted',
    { settings: { currencies: new Set(['USD']) } },
    '600.200.500',
    ok,
    '600.200.500',
    ok,
  ],
  ['one of several accepted currencies', { settings: { currencies: new Set(['USD', 'EUR']) } }, ok, ok, ok, ok],
  ['an amount of zero', { amountMinor: 0 }, ok, ok, '100.550.300', ok],
  ['an amount of zero without a payment', { amountMinor: 0, isNonPayment: true }, ok, ok, ok, ok],
  ['3RI without 3-D Secure', { marksMerchantInitiated: true }, '600.200.201', ok, ok, ok],
  ['3RI with 3-D Secure', { marksMerchantInitiated: true, demandsThreeDSecure }, ok, ok, ok, ok],
  ['3RI with a proof', { marksMerchantInitiated: true, hasProof: true }, ok, ok, ok, ok],
  ['3RI by a payout', { marksMerchantInitiated: true, type: 'CD' }, ok, ok, ok, ok],
  [
    '3-D Secure of a card that a terminal read',
    { demandsThreeDSecure, isCardPresent: true },
    '600.200.201',
    ok,
    ok,
    ok,
  ],
  ['no directory server', { hasDirectoryServers: false }, ok, ok, '000.400.104', ok],
  [
    '3-D Secure without a directory server',
    { demandsThreeDSecure, hasDirectoryServers: false },
    '600.200.201',
    ok,
    '000.400.104',
    ok,
  ],
  ['a merchant who is not registered with the network', { isRequestorRegistered: false }, ok, ok, '100.390.106', ok],
  [
    '3-D Secure of a merchant who is not registered with the network',
    { demandsThreeDSecure, isRequestorRegistered: false },
    '100.390.106',
    ok,
    '100.390.106',
    ok,
  ],
  ['an invalid deviceInfo', { hasInvalidDeviceInfo: true }, ok, ok, '200.300.404', ok],
  [
    '3-D Secure with an invalid deviceInfo',
    { demandsThreeDSecure, hasInvalidDeviceInfo: true },
    '200.300.404',
    ok,
    '200.300.404',
    ok,
  ],
  [
    '3-D Secure of a shopper who cannot return',
    { demandsThreeDSecure, canAuthenticate: false },
    '200.300.404',
    ok,
    ok,
    ok,
  ],
]

const examples = table.flatMap(([name, changes, payment, register, standaloneAuthentication, riskCheck]) =>
  (
    [
      ['payment', payment],
      ['register', register],
      ['standaloneAuthentication', standaloneAuthentication],
      ['riskCheck', riskCheck],
    ] as const
  ).map(([operation, code]) => {
    const outcome = code === undefined ? 'accepted' : `refused with ${code}`
    return { operation, name, code, outcome, changes }
  }),
)

test.each(examples)('$operation is $outcome: $name', ({ operation, code, changes }) => {
  expect(refusal(operation, changes)?.code).toBe(code)
})
