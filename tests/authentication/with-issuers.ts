import { randomBytes } from 'node:crypto'
import { sandboxIds, sandboxToken } from '@tollgate/gateway'
import { type Parameters, type TestAnswer, testGateway } from '@tollgate/gateway/testing'
import { createThreeDSecureSimulator, simulatorServer } from '@tollgate/simulators'
import { type MessageOf, readMessage } from '@tollgate/three-d-secure'
import { expect } from 'vitest'

export const ISSUERS = 'https://issuers.example'
export const GATEWAY = 'https://pay.example'
export const RESULT_URL = 'https://shop.example/done'
const FORM = 'application/x-www-form-urlencoded'

/** The parameters of the shopper's browser that the gateway's page can read. */
export const browser = {
  'customer.browser.language': 'de',
  'customer.browser.screenHeight': '900',
  'customer.browser.screenWidth': '1440',
  'customer.browser.timezone': '-60',
  'customer.browser.userAgent': 'Mozilla/5.0',
  'customer.browser.javaEnabled': 'false',
  'customer.browser.screenColorDepth': '24',
}

/** All data of a browser and its shopper. With these data the authentication request needs no page of the gateway. */
export const browserData = {
  ...browser,
  'customer.browser.acceptHeader': 'text/html',
  'customer.givenName': 'Jane',
  'customer.surname': 'Jones',
}

/** The shopper's address, which is mandatory for 3-D Secure on strict channels. */
export const billing = {
  'billing.street1': 'Hauptstr. 1',
  'billing.city': 'Berlin',
  'billing.postcode': '10115',
  'billing.country': 'DE',
}

export const formOf = (fields: Record<string, string>) => new URLSearchParams(fields).toString()

/** The value of a field of a page. */
export const fieldOf = (html: string, name: string): string =>
  new RegExp(`name="${name}"[^>]*value="([^"]*)"`).exec(html)?.[1] ?? ''

/** The path of the page to which the shopper is redirected. */
export const pageOf = (body: { redirect: { url: string } }): string => new URL(body.redirect.url).pathname

/** Starts a gateway with a simulated directory server and issuers, and returns the actions of merchant and shopper. */
export async function withIssuers() {
  const traffic = {
    /** Whether results of the issuers do not reach the gateway. */
    areResultsLost: false,
    authenticationRequestCount: 0,
    /** The results that the issuers sent to the gateway, and the HTTP statuses of the answers. */
    results: Array.of<{ readonly transactionId: string; readonly status: number }>(),
  }
  /** The authentication requests that the issuers received, newest last, without card numbers. */
  const requests: MessageOf<'AReq'>[] = []
  const environment = { url: ISSUERS, clock: { now: () => tollgate.gateway.clock.now() }, random: randomBytes }
  const issuers = createThreeDSecureSimulator(environment, async (url, body) => {
    if (traffic.areResultsLost) return undefined
    const reply = await tollgate.server.inject({
      method: 'POST',
      url: new URL(url).pathname,
      headers: { 'content-type': 'application/json' },
      payload: Buffer.from(body),
    })
    const { threeDSServerTransID: transactionId }: { readonly threeDSServerTransID: string } = JSON.parse(body)
    traffic.results.push({ transactionId, status: reply.statusCode })
    return reply.statusCode === 200 ? reply.body : undefined
  })
  const server = simulatorServer([issuers])

  /** Sends a request to the issuers. */
  const send = (path: string, body: Uint8Array | string, type = 'application/json') =>
    server.inject({ method: 'POST', url: path, headers: { 'content-type': type }, payload: Buffer.from(body) })

  const directoryServer = {
    send: async (message: Uint8Array) => {
      const read = readMessage('AReq', message)
      if ('ok' in read) {
        traffic.authenticationRequestCount += 1
        read.ok.acctNumber.wipe()
        requests.push(read.ok)
      }
      return Buffer.from((await send('/ds', message)).body)
    },
  }
  const tollgate = await testGateway({
    directoryServer,
    env: { TOLLGATE_PUBLIC_URL: GATEWAY, TOLLGATE_TRUSTED_PROXY: '127.0.0.1' },
  })

  const card = (number: string): Parameters => ({
    entityId: sandboxIds.channel,
    amount: '92.00',
    currency: 'EUR',
    'card.number': number,
    'card.holder': 'Jane Jones',
    'card.expiryMonth': '05',
    'card.expiryYear': '2034',
    shopperResultUrl: RESULT_URL,
    ...billing,
  })

  /** Posts to a page of the gateway. */
  const post = (path: string, payload: string, type = FORM, headers: Parameters = {}) =>
    tollgate.server.inject({ method: 'POST', url: path, headers: { 'content-type': type, ...headers }, payload })

  const read = (url: string): Promise<TestAnswer> =>
    tollgate.request({ method: 'GET', url, headers: { authorization: `Bearer ${sandboxToken}` } })

  /** Loads the issuer's frame of the 3-D Secure method. */
  const methodFrame = async (threeDSMethodData: string): Promise<string> =>
    Buffer.from((await send('/acs/method', formOf({ threeDSMethodData }), FORM)).body).toString()

  /** Loads the issuer's page of a challenge. */
  const challengeOf = async (creq: string): Promise<string> =>
    Buffer.from((await send('/acs/challenge', formOf({ creq }), FORM)).body).toString()

  /** Answers the challenge as the shopper. The browser stays on the page of the issuer. */
  const submit = async (acsTransID: string, fields: Record<string, string>): Promise<string> =>
    Buffer.from((await send('/acs/answer', formOf({ acsTransID, ...fields }), FORM)).body).toString()

  return {
    tollgate,
    issuers,
    requests,
    traffic,
    send: async (path: string, body: Uint8Array | string) => Buffer.from((await send(path, body)).body).toString(),
    post,
    methodFrame,
    challengeOf,
    submit,
    pay: (number: string, changes: Parameters = {}): Promise<TestAnswer> =>
      tollgate.send('POST', '/v1/payments', { ...card(number), paymentType: 'PA', ...changes }),
    readPayment: (id: string) => read(`/v1/payments/${id}`),
    authenticate: (number: string, changes: Parameters = {}): Promise<TestAnswer> =>
      tollgate.send('POST', '/v1/threeDSecure', { ...card(number), ...changes }),
    readAuthentication: (id: string) => read(`/v1/threeDSecure/${id}`),

    /**
     * Loads the page, reports that the 3-D Secure method was completed, and returns the next step.
     *
     * @param headers of the last request
     */
    begin: async (page: string, headers: Parameters = {}): Promise<{ next: string; url: string; creq?: string }> => {
      expect((await tollgate.server.inject({ method: 'GET', url: page })).statusCode).toBe(200)
      const payload = JSON.stringify({ looked: 'Y', parameters: browser })
      return (await post(`${page}/begin`, payload, 'application/json', headers)).json()
    },

    /** Answers the challenge and returns to the gateway, as the shopper. @returns the HTTP status of the gateway */
    answer: async (page: string, creq: string, fields: Record<string, string>): Promise<number> => {
      const issuerPage = await submit(fieldOf(await challengeOf(creq), 'acsTransID'), fields)
      return (await post(`${page}/result`, formOf({ cres: fieldOf(issuerPage, 'cres') }))).statusCode
    },
  }
}
