import { BenchError } from './bench-error.ts'
import { limits } from './limits.ts'
import { firstNumbers, type MerchantAccess, payment } from './workload.ts'

/** The sandbox's published key of the management API. */
export const MANAGE_KEY = 'manage-sandbox'

/** The merchants of the workload, and the division above all of them. */
interface Merchants {
  readonly merchants: readonly MerchantAccess[]
  readonly division: string
}

/**
 * Sets up the merchants of the workload through the management API: one psp and division, and for each merchant a
 * channel of its own and an access token.
 *
 * @param manageUrl ends with /manage/v1
 */
export async function createMerchants(manageUrl: string): Promise<Merchants> {
  const post = (path: string, body: object) => postToManagement(`${manageUrl}${path}`, body)
  const createEntity = async (kind: string, name: string, parentId?: string, settings?: object) =>
    textAt(await post('/entities', { kind, name, parentId, settings }), 'id')

  const throttle = { createPayment: limits.requestsPerMinute }
  const psp = await createEntity('psp', 'Bench', undefined, { throttle })
  const division = await createEntity('division', 'Bench', psp)
  const merchants: MerchantAccess[] = []
  for (let number = 1; number <= limits.merchants; number += 1) {
    const merchantId = await createEntity('merchant', `Merchant ${number}`, division)
    const channel = await createEntity('channel', `Shop ${number}`, merchantId)
    merchants.push({ channel, token: textAt(await post('/tokens', { entityId: merchantId }), 'token') })
  }
  return { merchants, division }
}

/** Posts to the management API. */
export const postToManagement = (url: string, body: object): Promise<unknown> => sendPost(url, MANAGE_KEY, body)

/** Replaces a resource of the management API. */
export const putToManagement = (url: string, body: object): Promise<unknown> => send('PUT', url, MANAGE_KEY, body)

/** Makes the payment of the workload with this number. @returns its id, and the JSON text of its answer */
export async function pay(
  url: string,
  merchant: MerchantAccess,
  number: number,
  testMode?: 'EXTERNAL',
): Promise<{ id: string; text: string }> {
  const form = payment(merchant, number)
  if (testMode !== undefined) form.set('testMode', testMode)
  const answer = await sendPost(`${url}/v1/payments`, merchant.token, form)
  return { id: textAt(answer, 'id'), text: JSON.stringify(answer) }
}

/**
 * Makes the payments that `storePayments` copies, one merchant after the other.
 * @returns their ids; the merchant of an id is that of its index, modulo the number of merchants
 */
export async function payModels(
  url: string,
  merchants: readonly MerchantAccess[],
  testMode?: 'EXTERNAL',
): Promise<readonly string[]> {
  const ids: string[] = []
  while (ids.length < limits.models) {
    for (const merchant of merchants)
      ids.push((await pay(url, merchant, firstNumbers.models + ids.length, testMode)).id)
  }
  return ids
}

/** Creates a resource of a merchant, such as a checkout, with a form posted to the public API. @returns its id */
export const createResource = async (
  url: string,
  merchant: MerchantAccess,
  form: Readonly<Record<string, string>>,
): Promise<string> => textAt(await sendPost(url, merchant.token, new URLSearchParams(form)), 'id')

const sendPost = (url: string, bearer: string, body: object | URLSearchParams): Promise<unknown> =>
  send('POST', url, bearer, body)

async function send(
  method: 'POST' | 'PUT',
  url: string,
  bearer: string,
  body: object | URLSearchParams,
): Promise<unknown> {
  const isForm = body instanceof URLSearchParams
  const response = await fetch(url, {
    method,
    headers: {
      authorization: `Bearer ${bearer}`,
      'content-type': isForm ? 'application/x-www-form-urlencoded; charset=UTF-8' : 'application/json',
    },
    body: isForm ? body.toString() : JSON.stringify(body),
    signal: AbortSignal.timeout(limits.requestMs),
  })
  if (!response.ok)
    throw new BenchError(`${new URL(url).pathname} was answered with ${response.status}: ${await response.text()}`)
  return response.json()
}

export function textAt(answer: unknown, name: string): string {
  const value: unknown = typeof answer === 'object' && answer !== null ? Reflect.get(answer, name) : undefined
  if (typeof value !== 'string') throw new BenchError(`an answer has no ${name}`)
  return value
}
