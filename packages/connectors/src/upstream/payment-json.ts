import { findParameter } from '@tollgate/contract'
import { detailIn, fieldIn } from './answer-fields.ts'
import type { Redirect } from '../port.ts'
import { isObject, type Json, matching, objectIn, parseObject, textIn } from './json.ts'
import { limits } from './limits.ts'
import { redirectOf } from './redirect-json.ts'

/** A payment in an answer of the upstream. Texts have bounded lengths; other members of the answer are ignored. */
export interface UpstreamPayment {
  readonly code: string
  readonly description: string | undefined
  /** The names in `result.parameterErrors`. */
  readonly wrongParameters: readonly string[]
  readonly id: string | undefined
  readonly referencedId: string | undefined
  readonly registrationId: string | undefined
  readonly merchantTransactionId: string | undefined
  readonly paymentType: string | undefined
  readonly amount: string | undefined
  readonly currency: string | undefined
  readonly avs: string | undefined
  readonly cvv: string | undefined
  readonly details: Readonly<Record<string, string>>
  readonly accountFacts: Readonly<Record<string, string>> | undefined
  /** undefined: the answer has no redirect; 'invalid': it has one that no browser may follow. */
  readonly redirect: Redirect | 'invalid' | undefined
  /** The members of `pos`, by their names below it. */
  readonly pos: Readonly<Record<string, string>> | undefined
}

/** The payment of a body; undefined if it has no result. */
export function readPayment(text: string): UpstreamPayment | undefined {
  const json = parseObject(text)
  return json && paymentOf(json)
}

/**
 * The payments of the answer to a query, which has them in `payments`.
 *
 * @returns undefined if the answer is malformed, or has too many payments
 */
export function readPayments(text: string): readonly UpstreamPayment[] | undefined {
  const list = parseObject(text)?.['payments']
  if (!Array.isArray(list) || list.length > limits.paymentsOfReferenceMax) return undefined
  const payments = list.map((json: unknown) => (isObject(json) ? paymentOf(json) : undefined))
  return payments.every((payment) => payment !== undefined) ? payments : undefined
}

/** "result.code: 2 to 11 chars: digits and dots" (contract). */
const CODE = /^[0-9.]{2,11}$/
/** "payment id, registration id: exactly 32 letters or digits" (contract). */
const ID = /^[A-Za-z0-9]{32}$/

function paymentOf(json: Json): UpstreamPayment | undefined {
  const result = objectIn(json, 'result')
  const code = matching(result, 'code', CODE)
  if (code === undefined) return undefined
  return {
    code,
    description: textIn(result, 'description'),
    wrongParameters: wrongParametersOf(result['parameterErrors']),
    id: matching(json, 'id', ID),
    referencedId: matching(json, 'referencedId', ID),
    registrationId: matching(json, 'registrationId', ID),
    merchantTransactionId: textIn(json, 'merchantTransactionId'),
    paymentType: textIn(json, 'paymentType'),
    amount: textIn(json, 'amount'),
    currency: textIn(json, 'currency'),
    avs: fieldIn(json, 'result.avsResponse'),
    cvv: fieldIn(json, 'result.cvvResponse'),
    details: detailsOf(json),
    accountFacts: accountFactsOf(json),
    redirect: redirectOf(json['redirect']),
    pos: terminalFieldsOf(json),
  }
}

/** The first names of refused parameters that the contract knows. */
function wrongParametersOf(list: unknown): readonly string[] {
  if (!Array.isArray(list)) return []
  return list.slice(0, limits.wrongParametersMax).flatMap((json: unknown) => {
    const name = isObject(json) ? textIn(json, 'name') : undefined
    return name !== undefined && findParameter('payment', name) ? [name] : []
  })
}

/** "resultDetails: map, key 3 to 64 chars (letters, digits, dot, underscore)" (contract). */
const KEY = /^[A-Za-z0-9._]{3,64}$/

function detailsOf(json: Json): Readonly<Record<string, string>> {
  const details: Record<string, string> = {}
  const names = Object.keys(objectIn(json, 'resultDetails')).slice(0, limits.detailsMax)
  for (const name of names) {
    const value = KEY.test(name) ? detailIn(json, name) : undefined
    if (value !== undefined) details[name] = value
  }
  return details
}

const factNames = ['type', 'level', 'regulatedFlag', 'issuer.bank', 'issuer.phone', 'issuer.website'] as const

/** The facts about the account, from the structure in which the answer has the account. */
function accountFactsOf(json: Json): Readonly<Record<string, string>> | undefined {
  const card = [json['card'], json['tokenAccount']].find(isObject)
  if (!card) return undefined
  const facts: Record<string, string> = {}
  for (const name of factNames) {
    const value = fieldIn({ card }, `card.${name}`)
    if (value !== undefined) facts[name] = value
  }
  return facts
}

const terminalNames = [
  'clearing.authorizationAcquirerCode',
  'clearing.authorizationIssuerCode',
  'clearing.identifier',
  'merchantId',
  'iccDataResponse',
  'statusText',
  'timestamp',
] as const

function terminalFieldsOf(json: Json): Readonly<Record<string, string>> | undefined {
  if (!isObject(json['pos'])) return undefined
  const fields: Record<string, string> = {}
  for (const name of terminalNames) {
    const value = fieldIn(json, `pos.${name}`)
    if (value !== undefined) fields[name] = value
  }
  return fields
}
