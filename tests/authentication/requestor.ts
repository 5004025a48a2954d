import { sandboxIds } from '@tollgate/gateway'
import type { Parameters } from '@tollgate/gateway/testing'
import { billing, browser, pageOf, type withIssuers } from './with-issuers.ts'

export const frictionless = '4200000000000091'
export const challenged = '4200000000000042'

/** The parameters of the shopper and their browser that are mandatory for 3-D Secure. */
export const shopper = {
  'customer.givenName': 'Jane',
  'customer.surname': 'Jones',
  'customer.browser.acceptHeader': 'text/html',
  ...browser,
  ...billing,
}

/** A charge that the merchant makes by an agreement, without the shopper. */
export const charge = {
  shopperResultUrl: undefined,
  'standingInstruction.type': 'RECURRING',
  'standingInstruction.mode': 'REPEATED',
  'standingInstruction.source': 'MIT',
  'standingInstruction.initialTransactionId': '123456789012345',
}

export const sdkTransID = 'c0ffee00-6c54-4b01-90e6-d701748f0852'
export const device = {
  sdkTransID,
  sdkAppID: sdkTransID,
  sdkReferenceNumber: 'SDK',
  sdkEphemPubKey: { kty: 'EC', crv: 'P-256', x: 'x', y: 'y' },
  sdkEncData: 'e.n.c.r.ypted',
}
/** Changes of the parameters if the shopper uses an app: device data, and no return address or Accept header. */
export const appParameters = {
  shopperResultUrl: undefined,
  'customer.browser.acceptHeader': undefined,
  'threeDSecure.deviceInfo': JSON.stringify(device),
}

/** Functions for the requests of a merchant whose shoppers are authenticated. */
export function requestor(setup: Awaited<ReturnType<typeof withIssuers>>) {
  const { gateway, manage } = setup.tollgate
  const pay = (number: string, changes: Parameters = {}) => setup.pay(number, { ...shopper, ...changes })
  const changeSettings = (settings: object) => manage('PATCH', `/entities/${sandboxIds.channel}`, { settings })
  return {
    pay,
    read: async (id: string) => (await setup.readPayment(id)).body,
    changeSettings,
    resetSettings: () => changeSettings({ authentication: null, threeDSecure: 'enrolled', unauthenticated: null }),
    /** Fast-forwards the clock, and runs the jobs that become due. */
    fastForward: async (ms: number): Promise<void> => void (await gateway.jobs.fastForward(gateway.clock.now() + ms)),
    /** Starts a payment in a browser, and returns the authentication request that the issuer received. */
    authenticationRequestOf: async (number: string, changes?: Parameters) => {
      const { body } = await pay(number, changes)
      await setup.begin(pageOf(body))
      return setup.requests.at(-1)
    },
  }
}
