// This client has typed answers: a required field that is missing or of another type is an error.

type Kind = 'text' | 'amount' | 'id' | 'object'

const kinds: Readonly<Record<Kind, (value: unknown) => boolean>> = {
  text: (value) => typeof value === 'string' && value !== '',
  amount: (value) => typeof value === 'string' && /^[0-9]{1,10}\.[0-9]{2}$/.test(value),
  id: (value) => typeof value === 'string' && /^[A-Za-z0-9]{32}$/.test(value),
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
}

type Fields = Readonly<Record<string, Kind>>

const commonFields: Fields = { id: 'id', result: 'object', buildNumber: 'text', timestamp: 'text', ndc: 'text' }
const amountFields: Fields = { paymentType: 'text', amount: 'amount', currency: 'text', descriptor: 'text' }
const paymentFields: Fields = {
  ...commonFields,
  ...amountFields,
  paymentBrand: 'text',
  card: 'object',
  resultDetails: 'object',
}
const followUpFields: Fields = { ...commonFields, ...amountFields, referencedId: 'id', resultDetails: 'object' }

/** An answer. Only the fields that the called method requires have been checked; another field may be missing. */
export interface TypedPayment {
  readonly status: number
  readonly id: string
  readonly referencedId: string
  readonly paymentType: string
  readonly amount: string
  readonly currency: string
  readonly result: { readonly code: string; readonly description: string }
  readonly resultDetails: { readonly ExtendedDescription: string }
}

export type Parameters = Readonly<Record<string, string>>

/**
 * Creates a client of one channel.
 *
 * @throws TypeError from every method if a required field of the answer is missing or of another type
 */
export function typedClient(base: string, token: string, entityId: string) {
  async function send(path: string, init: RequestInit, fields: Fields): Promise<TypedPayment> {
    const answer = await fetch(`${base}v1/payments${path}`, {
      ...init,
      headers: { authorization: `Bearer ${token}` },
    })
    const body: unknown = await answer.json()
    assertFields(fields, body)
    assertFields({ code: 'text', description: 'text' }, body.result)
    if (body.resultDetails !== undefined) assertFields({ ExtendedDescription: 'text' }, body.resultDetails)
    return { ...body, status: answer.status }
  }
  const post = (path: string, parameters: Parameters, fields: Fields) =>
    send(path, { method: 'POST', body: new URLSearchParams({ entityId, ...parameters }) }, fields)
  const followUp = (paymentType: string) => (id: string, amount: string) =>
    post(`/${id}`, { paymentType, amount, currency: 'EUR' }, followUpFields)

  return {
    preauthorise: (card: Parameters, amount: string) =>
      post('', { ...card, paymentType: 'PA', amount, currency: 'EUR' }, paymentFields),
    debit: (card: Parameters, amount: string) =>
      post('', { ...card, paymentType: 'DB', amount, currency: 'EUR' }, paymentFields),
    capture: followUp('CP'),
    refund: followUp('RF'),
    rebill: followUp('RB'),
    reverse: (id: string) => post(`/${id}`, { paymentType: 'RV' }, followUpFields),
    read: (id: string) => send(`/${id}?entityId=${entityId}`, {}, { ...commonFields, ...amountFields }),
  }
}

function assertFields(fields: Fields, value: unknown): asserts value is TypedPayment {
  const record = new Map(Object.entries(value ?? {}))
  const invalidFields = Object.entries(fields).filter(([name, kind]) => !kinds[kind](record.get(name)))
  if (invalidFields.length > 0)
    throw new TypeError(`wrong fields ${invalidFields.map(([name]) => name).join(', ')} in ${JSON.stringify(value)}`)
}
