import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { createGateway } from '../gateway.ts'
import { createShop } from '../shop.ts'
import { createShopCustomers } from '../store/customers.ts'
import { createOrders } from '../store/orders.ts'

export const SHOP_URL = 'https://shop.example'
export const TOKEN = 'the-token-of-the-merchant'
export const ENTITY = '70119a7e5eed00000000000000000c00'
export const CHECKOUT = '8AC7A4A0853F4D1B9C2E6F7A1B3C5D7E.uat01-vm-tx03'
export const PAYMENT = '8ac7a4a0853f4d1b9c2e6f7a1b3c5d7e'
export const REGISTRATION = '8ac7a4a0853f4d1b9c2e6f7a1b3c5d80'
export const SCHEDULE = '8ac7a4a0853f4d1b9c2e6f7a1b3c5d81'
export const INTEGRITY = `sha384-${'A'.repeat(64)}`
export const CHECKOUT_PATH = `/v1/checkouts/${CHECKOUT}/payment`
export const WEBHOOK_KEY = '0f'.repeat(32)

/** A request that the gateway received. */
export interface ReceivedRequest {
  readonly method: string
  readonly path: string
  readonly authorization: string | undefined
  readonly idempotencyKey: string | undefined
  readonly form: Readonly<Record<string, string>>
}

/** The gateway's answer to a request. If it is undefined, the gateway closes the connection without an answer. */
export type Answer = (request: ReceivedRequest) => object | undefined

export const codes = {
  created: '000.200.100',
  pending: '000.200.000',
  approved: '000.100.110',
  declined: '800.100.155',
} as const

/** The `result` of an answer. */
export const result = (code: string) => ({ result: { code, description: `description of ${code}` } })

/** The answer to the creation of a checkout. */
export const createdCheckout = (id = CHECKOUT) => ({ id, integrity: INTEGRITY, ...result(codes.created) })

/** An answer of the shop. */
export interface Page {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
}

export const locationOf = ({ headers }: Page): string => headers['location'] ?? ''

/** A shop with simulated browsers and a simulated gateway. Each test has a new shop. */
export class TestShop {
  received: ReceivedRequest[] = []
  answer: Answer = () => createdCheckout()
  nowMs = Date.UTC(2026, 4, 6)
  /** The cookie of the browser. An empty cookie simulates another browser. */
  cookie = ''
  readonly server: FastifyInstance

  constructor(gatewayUrl: string) {
    this.server = createShop({
      url: SHOP_URL,
      gatewayUrl: 'https://gateway.example',
      gateway: createGateway({ url: gatewayUrl, entityId: ENTITY, token: TOKEN }),
      webhookKey: WEBHOOK_KEY,
      orders: createOrders(),
      customers: createShopCustomers(),
      now: () => this.nowMs,
    })
  }

  async send(
    method: 'GET' | 'POST',
    url: string,
    form: Readonly<Record<string, string>> = {},
    headers = {},
  ): Promise<Page> {
    const body = { payload: new URLSearchParams(form).toString() }
    const response = await this.server.inject({
      method,
      url,
      headers: {
        host: 'shop.example',
        'content-type': 'application/x-www-form-urlencoded',
        cookie: this.cookie,
        ...headers,
      },
      ...(method === 'POST' && body),
    })
    const pageHeaders = Object.entries(response.headers).map(([name, value]) => [name, String(value)])
    const page: Page = { status: response.statusCode, headers: Object.fromEntries(pageHeaders), body: response.body }
    this.cookie = page.headers['set-cookie']?.split(';')[0] ?? this.cookie
    return page
  }

  get = (path: string): Promise<Page> => this.send('GET', path)
  post = (path: string, form?: Readonly<Record<string, string>>): Promise<Page> => this.send('POST', path, form)
  /** Opens the result page with the parameters that the gateway adds to the address when the shopper returns. */
  openResult = (resourcePath: string): Promise<Page> =>
    this.get(`/result?${new URLSearchParams({ id: 'x', resourcePath }).toString()}`)

  /** Puts two tins of Sencha into the cart: 25.00 EUR. */
  fillCart = (): Promise<Page> => this.post('/cart', { product: 'sencha', quantity: '2' })

  /** @returns the path of the page with the widget */
  async startCheckout(form: Readonly<Record<string, string>> = { with: 'cards' }): Promise<string> {
    await this.fillCart()
    return locationOf(await this.post('/pay', form))
  }

  /** The form of the last request that the gateway received. */
  get lastForm(): Readonly<Record<string, string>> {
    return this.received.at(-1)?.form ?? {}
  }

  /** The gateway's answer to a status query: the order of the last request that the gateway received is paid. */
  paidOrder(changes: object = {}): Answer {
    const { merchantTransactionId, amount, currency } = this.lastForm
    return () => ({ id: PAYMENT, merchantTransactionId, amount, currency, ...result(codes.approved), ...changes })
  }
}

/**
 * Starts a simulated gateway, and creates a shop before each test.
 *
 * @returns a function that returns the current shop
 */
export function testShop(): () => TestShop {
  let shop: TestShop
  const gateway = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      const key = headers['idempotency-key']
      const form = Object.fromEntries(new URLSearchParams(body))
      const received = {
        method,
        path: url,
        authorization: headers.authorization,
        idempotencyKey: key?.toString(),
        form,
      }
      shop.received.push(received)
      const answer = shop.answer(received)
      if (answer) response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
      else response.destroy()
    })
  })
  beforeAll(async () => {
    await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve))
  })
  beforeEach(() => {
    const { port }: AddressInfo = Object(gateway.address())
    shop = new TestShop(`http://127.0.0.1:${port}`)
  })
  afterAll(() => {
    gateway.close()
    gateway.closeAllConnections()
  })
  return () => shop
}
