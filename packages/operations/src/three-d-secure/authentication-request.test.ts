import { parametersOf, Secret } from '@tollgate/contract'
import { protocolVersions, readAppDevice, readMessage, writeMessage } from '@tollgate/three-d-secure'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { authenticationRequest, type Device } from './authentication-request.ts'
import { testChannel } from '../testing/test-channel.ts'

const uuid = 'c0ffee00-6c54-4b01-90e6-d701748f0852'
const app = readAppDevice(
  JSON.stringify({ sdkTransID: uuid, sdkAppID: uuid, sdkReferenceNumber: 'SDK', sdkEphemPubKey: { kty: 'EC' } }),
)
if (!app) throw new Error('the device of the test is invalid')

const devices: readonly Device[] = [{ channel: '01', app }, { channel: '02', methodCompletion: 'U' }, { channel: '03' }]

/** Texts of any characters and lengths, in addition to usual ones. */
const text = (...usual: readonly string[]) =>
  fc.option(fc.oneof(fc.constantFrom('x', ...usual), fc.string({ unit: 'grapheme', minLength: 1, maxLength: 120 })), {
    nil: undefined,
  })

const values = fc.record({
  'threeDSecure.npa': fc.constantFrom(undefined, 'true'),
  'threeDSecure.decoupled': fc.constantFrom(undefined, 'true'),
  'threeDSecure.threeRIInd': fc.constantFrom(undefined, 'RECURRING', 'SPLIT_SHIPMENT', 'DELAYED_SHIPMENT'),
  'threeDSecure.authenticationInd': fc.constantFrom(
    undefined,
    'RECURRING',
    'INSTALLMENT',
    'BILLING_AGREEMENT',
    'SPLIT_SHIPMENT',
    '_DELAYED_SHIPMENT',
    'SPLIT_PAYMENT',
  ),
  'threeDSecure.challengeIndicator': fc.constantFrom(undefined, '01', '09'),
  'threeDSecure.merchant.name': text(),
  'threeDSecure.merchant.url': text('javascript:alert(1)'),
  'threeDSecure.merchant.country': text('FRA'),
  'standingInstruction.type': fc.constantFrom(undefined, 'RECURRING', 'INSTALLMENT'),
  'standingInstruction.numberOfInstallments': fc.constantFrom(undefined, '1', '007', '999'),
  'standingInstruction.frequency': fc.constantFrom(undefined, '0', '0030', '9999'),
  'standingInstruction.expiry': fc.constantFrom(undefined, '2034-05-31'),
  'billing.street1': text(),
  'billing.street2': text(),
  'billing.houseNumber1': text('12'),
  'billing.houseNumber2': text('b'),
  'billing.city': text(),
  'billing.country': text('DE', 'de'),
  'shipping.street1': text(),
  'shipping.houseNumber1': text('12'),
  'shipping.country': text('fr'),
  'customer.ip': text('::1'),
  'customer.browser.language': text('de-DE'),
  'customer.browser.timezone': text('-60'),
  'customer.browser.screenHeight': text('900'),
})

test('an authentication request with any parameters is a valid AReq, for a browser, an app and 3RI', () => {
  fc.assert(
    fc.property(
      values,
      fc.constantFrom(...devices),
      fc.constantFrom(...protocolVersions),
      fc.constantFrom('VISA', 'UNIONPAY'),
      text('Jane Jones'),
      (sent, device, version, brand, holder) => {
        // 3RI payments exist since version 2.2.0.
        fc.pre(device.channel !== '03' || version !== '2.1.0')
        const entries = Object.entries(sent).filter((entry): entry is [string, string] => entry[1] !== undefined)
        const message = authenticationRequest({
          sessionId: uuid.replaceAll('-', ''),
          request: { parameters: parametersOf(Object.fromEntries(entries)), atMs: 0 },
          channel: testChannel({}, { name: 'A channel whose name is longer than a requestor’s' }),
          brand,
          number: new Secret(new TextEncoder().encode('4200000000000042')),
          masked: { holder: holder ?? null, expiryMonth: '05', expiryYear: '2034' },
          purchase: { kind: 'purchase', amountMinor: 9200, currency: 'EUR' },
          version,
          device,
          url: 'https://pay.example',
        })
        expect(readMessage('AReq', writeMessage('AReq', message))).toHaveProperty('ok')
      },
    ),
    { seed: 16, numRuns: 500 },
  )
})
