import { sandboxIds, sandboxToken } from '@tollgate/gateway'
import type { Request } from './http.ts'

/** Parameters by name, not yet encoded. */
export type Form = Readonly<Record<string, string>>

/** The Authorization header of the sandbox merchant. */
export const authorization: Readonly<Record<string, string>> = { authorization: `Bearer ${sandboxToken}` }

const formType = { 'content-type': 'application/x-www-form-urlencoded; charset=UTF-8' }

/** The form of a debit of the sandbox merchant that the simulator approves; `changes` add or replace parameters. */
export function cardPayment(changes: Form = {}): Form {
  return {
    entityId: sandboxIds.channel,
    amount: '92.00',
    currency: 'EUR',
    paymentBrand: 'VISA',
    paymentType: 'DB',
    'card.number': '4200000000000000',
    'card.holder': 'Jane Jones',
    'card.expiryMonth': '05',
    'card.expiryYear': '2034',
    'card.cvv': '123',
    ...changes,
  }
}

/** The form of an operation on an earlier payment: CP, RV, RF, … */
export function followUpForm(paymentType: string, changes: Form = {}): Form {
  return { entityId: sandboxIds.channel, amount: '92.00', currency: 'EUR', paymentType, ...changes }
}

/** A POST of a form with the sandbox merchant's token. */
export function post(path: string, form: Form, headers: Readonly<Record<string, string>> = {}): Request {
  const body = new URLSearchParams(form).toString()
  return { method: 'POST', path, headers: { ...authorization, ...formType, ...headers }, body }
}

/** A GET of a payment with the sandbox merchant's token. */
export function getPayment(id: string): Request {
  return { method: 'GET', path: `/v1/payments/${id}`, headers: authorization }
}
