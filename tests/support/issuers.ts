import { randomBytes } from 'node:crypto'
import { sandboxIds } from '@tollgate/gateway'
import { type Parameters, testGateway, type TestGateway } from '@tollgate/gateway/testing'
import { createThreeDSecureSimulator, type Simulator } from '@tollgate/simulators'
import { type MessageOf, readMessage } from '@tollgate/three-d-secure'

const ISSUERS = 'https://issuers.example'
const GATEWAY = 'https://pay.example'
const FORM = 'application/x-www-form-urlencoded'

/** A gateway, and the directory server and issuers of its test environment, in one process and on one clock. */
export interface TestIssuers {
  readonly tollgate: TestGateway
  readonly issuers: Simulator
  /** What the issuers were asked, newest last. Their card numbers are gone. */
  readonly asked: readonly MessageOf<'AReq'>[]
  /** Results requests that never arrive, while it is set. */
  isDeaf: boolean
  readonly send: (path: string, body: Uint8Array | string, type?: string) => Promise<string>
  /** The page has been loaded, and the issuer has looked: what it is told to do next. */
  readonly begin: (page: string) => Promise<{ readonly next: string; readonly url?: string; readonly creq?: string }>
  /** The shopper answers the challenge, and his browser goes back. */
  readonly answer: (page: string, creq: string, fields: Readonly<Record<string, string>>) => Promise<void>
}

export async function testIssuers(): Promise<TestIssuers> {
  const asked: MessageOf<'AReq'>[] = []
  const issuers = createThreeDSecureSimulator({
    url: ISSUERS,
    clock: { now: () => tollgate.gateway.clock.now() },
    random: randomBytes,
    async post(url, body) {
      if (world.isDeaf) return undefined
      const reply = await post(new URL(url).pathname, body, 'application/json')
      return reply.statusCode === 200 ? reply.body : undefined
    },
  })
  const send: TestIssuers['send'] = async (path, body, type = 'application/json') => {
    const headers = { 'content-type': type }
    const reply = await issuers.handle({ method: 'POST', path, query: '', headers, body: Buffer.from(body) })
    return Buffer.from(reply.body).toString()
  }
  const directoryServer = {
    async ask(message: Uint8Array) {
      const read = readMessage('AReq', message)
      if ('ok' in read) {
        read.ok.acctNumber.wipe()
        asked.push(read.ok)
      }
      return Buffer.from(await send('/ds', message))
    },
  }
  const tollgate = await testGateway({ directoryServer, env: { TOLLGATE_PUBLIC_URL: GATEWAY } })
  const post = (path: string, payload: string, type: string) =>
    tollgate.server.inject({ method: 'POST', url: path, headers: { 'content-type': type }, payload })
  const world: TestIssuers = {
    tollgate,
    issuers,
    asked,
    isDeaf: false,
    send,
    async begin(page) {
      await tollgate.server.inject({ method: 'GET', url: page })
      const told = JSON.stringify({ looked: 'Y', parameters: browser })
      return (await post(`${page}/begin`, told, 'application/json')).json()
    },
    async answer(page, creq, fields) {
      const shown = await send('/acs/challenge', formOf({ creq }), FORM)
      const done = await send('/acs/answer', formOf({ acsTransID: fieldOf(shown, 'acsTransID'), ...fields }), FORM)
      await post(`${page}/result`, formOf({ cres: fieldOf(done, 'cres') }), FORM)
    },
  }
  return world
}

const formOf = (fields: Readonly<Record<string, string>>): string => new URLSearchParams(fields).toString()

/** What stands in a field of a page. */
const fieldOf = (html: string, name: string): string =>
  new RegExp(`name="${name}"[^>]*value="([^"]*)"`).exec(html)?.[1] ?? ''

/** The page of a pending payment. */
export const pageOf = (body: { readonly redirect: { readonly url: string } }): string =>
  new URL(body.redirect.url).pathname

/** What a browser tells of itself. */
const browser = {
  'customer.browser.acceptHeader': 'text/html',
  'customer.browser.language': 'de',
  'customer.browser.screenHeight': '900',
  'customer.browser.screenWidth': '1440',
  'customer.browser.timezone': '-60',
  'customer.browser.userAgent': 'Mozilla/5.0',
  'customer.browser.javaEnabled': 'false',
  'customer.browser.screenColorDepth': '24',
}

/** "Mandatory for 3D Secure v2." */
const billing = {
  'billing.street1': 'Hauptstr. 1',
  'billing.city': 'Berlin',
  'billing.postcode': '10115',
  'billing.country': 'DE',
}

/** A preauthorisation that asks for an authentication itself. */
export const authenticatedPayment = (number: string, changes: Parameters = {}): Parameters => ({
  entityId: sandboxIds.channel,
  amount: '92.00',
  currency: 'EUR',
  paymentType: 'PA',
  'card.number': number,
  'card.holder': 'Jane Jones',
  'card.expiryMonth': '05',
  'card.expiryYear': '2034',
  shopperResultUrl: 'https://shop.example/done',
  'customer.givenName': 'Jane',
  'customer.surname': 'Jones',
  ...browser,
  ...billing,
  ...changes,
})
