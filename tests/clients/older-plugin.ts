import { Agent, request } from 'node:http'

// A client like older shop plugins: every request has its login in the parameters, and no Authorization header.

/** The settings of the plugin that a shop's owner enters. */
export interface PluginSettings {
  /** With a slash at its end. */
  readonly base: string
  readonly userId: string
  readonly password: string
  readonly entityId: string
  /** `shopperResultUrl`, if the shop has 3-D Secure. */
  readonly redirectParameters?: Parameters
}

/** The shop's data of an order. */
export interface Order {
  /** The shop's number, which may be short. */
  readonly number: string
  /** Whole units. */
  readonly total: number
  /** As the customer entered it. */
  readonly phone: string
}

export interface PluginAnswer {
  readonly status: number
  readonly id: string
  readonly amount: string
  readonly paymentType: string
  readonly registrationId?: string
  readonly merchantTransactionId?: string
  readonly result: { readonly code: string; readonly description: string }
}

type Parameters = Readonly<Record<string, string | number>>

/** The plugin of one shop. */
export function olderPlugin({ base, userId, password, entityId, redirectParameters }: PluginSettings) {
  const login = {
    'authentication.userId': userId,
    'authentication.password': password,
    'authentication.entityId': entityId,
  }
  const post = (path: string, parameters: Parameters) => send('POST', path, encoded({ ...login, ...parameters }))
  const sendLogin = (method: 'GET' | 'DELETE', path: string) => send(method, `${path}?${encoded(login)}`)

  /** Every request has its own connection, a path with a slash at its end, and the content type of a form. */
  function send(method: string, path: string, body?: string): Promise<PluginAnswer> {
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      connection: 'close',
      ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
    }
    return new Promise((resolve, reject) => {
      const outgoing = request(base + path, { method, headers, agent: new Agent() }, (incoming) => {
        let text = ''
        incoming.on('data', (part) => (text += String(part)))
        incoming.on('end', () => resolve({ ...JSON.parse(text), status: incoming.statusCode }))
      })
      outgoing.on('error', reject)
      outgoing.end(body)
    })
  }

  return {
    /** Preauthorises, captures at once, and stores the card. */
    pay: (order: Order, card: Parameters) =>
      post('v1/payments/', {
        paymentType: 'PA.CP',
        amount: order.total,
        currency: 'EUR',
        merchantTransactionId: order.number,
        'customer.phone': order.phone,
        'customer.email': 'jane@jones.example',
        'customParameters[SHOP_ORDER]': order.number,
        'billing.street2': '',
        shopperOrigin: 'shop',
        createRegistration: 1,
        ...redirectParameters,
        ...card,
      }),
    payWithRegistration: (registrationId: string, total: number) =>
      post(`v1/registrations/${registrationId}/payments/`, {
        paymentType: 'DB',
        amount: total,
        currency: 'EUR',
        ...redirectParameters,
      }),
    deregister: (registrationId: string) => sendLogin('DELETE', `v1/registrations/${registrationId}/`),
    refund: (id: string, total: number) =>
      post(`v1/payments/${id}/`, { paymentType: 'RF', amount: total, currency: 'EUR' }),
    read: (id: string) => sendLogin('GET', `v1/payments/${id}/`),
  }
}

/** A form with encoded values and unencoded names, brackets included. */
function encoded(parameters: Parameters): string {
  return Object.entries(parameters)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')
}
