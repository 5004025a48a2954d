import { Agent, request } from 'node:http'

// This client works like older plugins of shops: every request has its login in the parameters, a slash at the end of
// its path, and no Authorization header.

/** The settings that the owner of a shop enters. */
export interface PluginSettings {
  /** The base URL, with a trailing slash. */
  readonly base: string
  readonly userId: string
  readonly password: string
  readonly entityId: string
  /** `shopperResultUrl`, if the shop has 3-D Secure. */
  readonly redirectParameters?: Parameters
}

/** The shop's data of an order. */
export interface Order {
  /** The shop's order number. It may have fewer than the 8 characters that a strict channel requires. */
  readonly number: string
  /** The total in whole units of the currency. */
  readonly total: number
  /** The phone number as the customer entered it. */
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

/** Creates the plugin of a shop. */
export function olderPlugin({ base, userId, password, entityId, redirectParameters }: PluginSettings) {
  const login = {
    'authentication.userId': userId,
    'authentication.password': password,
    'authentication.entityId': entityId,
  }
  const post = (path: string, parameters: Parameters) => send('POST', path, encode({ ...login, ...parameters }))
  const sendLogin = (method: 'GET' | 'DELETE', path: string) => send(method, `${path}?${encode(login)}`)

  /** Sends a request on a connection of its own, with the content type of a form. */
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
    /** Preauthorises, captures immediately, and stores the card. */
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

/** Encodes the values of a form, but not its names and their brackets. */
function encode(parameters: Parameters): string {
  return Object.entries(parameters)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')
}
