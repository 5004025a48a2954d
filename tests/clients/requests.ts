import type { GatewayKind } from '../support/public-gateways.ts'
import { debit, entityOf, type Fields, type ChannelKind, type WireAnswer, type createWire } from './wire.ts'

export const UNKNOWN_ID = '0'.repeat(32)
export const APPROVED = '200 000.100.110'
/** The outcome of a request with invalid parameters. */
export const invalid = (...names: readonly string[]) => ['400 200.300.404', ...names].join(' ')

export const omit = (fields: Fields, ...names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)))

const encode = (fields: Fields): string => new URLSearchParams(fields).toString()

/** The title of a test case, and the outcome of its request on strict and on legacy channels. */
export interface ExpectedOutcomes {
  readonly title: string
  readonly strict: string
  readonly legacy: string
  /** On a legacy channel of a gateway whose account at another gateway is strict; by default that of `legacy`. */
  readonly legacyBehind?: string
}
export function expectedOutcome(kind: ChannelKind, outcomes: ExpectedOutcomes, gatewayKind?: GatewayKind): string {
  const { strict, legacy, legacyBehind = legacy } = outcomes
  if (kind === 'strict') return strict
  return gatewayKind === 'behind another gateway' ? legacyBehind : legacy
}

export interface ChannelRequests {
  readonly pay: (changes?: Fields) => Promise<WireAnswer>
  /** Pays with a text appended unencoded to the body. */
  readonly payWith: (text: string) => Promise<WireAnswer>
  readonly followUp: (id: string, paymentType: string, changes?: Fields) => Promise<WireAnswer>
}

/** Functions that send requests on a channel of a kind. */
export const requestsOf = (wire: ReturnType<typeof createWire>, kind: ChannelKind): ChannelRequests => ({
  pay: (changes) => wire.post('/v1/payments', { ...debit(kind), ...changes }),
  payWith: (text) => wire.post('/v1/payments', `${encode(debit(kind))}&${text}`),
  followUp: (id, paymentType, changes = { amount: '10.00', currency: 'EUR' }) =>
    wire.post(`/v1/payments/${id}`, { entityId: entityOf[kind], paymentType, ...changes }),
})
