import { debit, entityOf, type Fields, type Kind, type WireAnswer, type startWire } from './wire.ts'

export const UNKNOWN_ID = '0'.repeat(32)
export const APPROVED = '200 000.100.110'
export const wrong = (...names: readonly string[]) => ['400 200.300.404', ...names].join(' ')

export const without = (fields: Fields, ...names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)))

const encoded = (fields: Fields): string => new URLSearchParams(fields).toString()

/**
 * The outcomes of a request by the kind of channel. `secure`: on legacy channels with 3-D Secure, if it differs.
 */
export interface ExpectedOutcomes {
  readonly title: string
  readonly strict: string
  readonly legacy: string
  readonly secure?: string
}
export const expected = (kind: Kind, { strict, legacy, secure = legacy }: ExpectedOutcomes): string =>
  ({ strict, legacy, 'legacy and 3-D Secure': secure })[kind]

export interface RequestsOn {
  readonly pay: (changes?: Fields) => Promise<WireAnswer>
  /** A payment with additional text appended unencoded to its body. */
  readonly payWith: (more: string) => Promise<WireAnswer>
  readonly refer: (id: string, paymentType: string, changes?: Fields) => Promise<WireAnswer>
}

/** Requests on a channel of this kind. */
export const requestsOn = (wire: Awaited<ReturnType<typeof startWire>>, kind: Kind): RequestsOn => ({
  pay: (changes) => wire.post('/v1/payments', { ...debit(kind), ...changes }),
  payWith: (more) => wire.post('/v1/payments', `${encoded(debit(kind))}&${more}`),
  refer: (id, paymentType, changes = { amount: '10.00', currency: 'EUR' }) =>
    wire.post(`/v1/payments/${id}`, { entityId: entityOf[kind], paymentType, ...changes }),
})
