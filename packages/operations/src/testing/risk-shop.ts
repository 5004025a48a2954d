import { expect } from 'vitest'
import {
  cardPayment,
  FORM,
  formOf,
  otherMerchant,
  type OtherMerchant,
  type Parameters,
  type TestAnswer,
  type TestGateway,
} from '@tollgate/gateway/testing'

/** The customer parameters of the shopper Jane. */
export const jane = {
  'customer.givenName': 'Jane',
  'customer.surname': 'Jones',
  'customer.email': 'jane@jones.example',
  'customer.ip': '192.0.2.1',
  'customer.merchantCustomerId': 'jane',
}

/** The condition of a risk rule: an amount above a bound in euros. */
export const amount = (above: string) => ({ kind: 'amount', currency: 'EUR', above })

export const codeOf = ({ body }: TestAnswer): string => body.result.code
export const codesOf = async (answers: readonly Promise<TestAnswer>[]) => (await Promise.all(answers)).map(codeOf)

// Result codes of payments and risk checks.
export const APPROVED = '000.100.110'
export const REVIEW = '000.400.000'
export const REJECTED = '100.400.319'
export const PASSED = '000.300.100'

/** A new merchant, with risk rules if given, and requests of its shopper Jane. */
export interface RiskShop {
  readonly merchant: OtherMerchant
  readonly post: (path: string, form: Parameters, headers?: Parameters) => Promise<TestAnswer>
  readonly read: (id: string) => Promise<TestAnswer>
  readonly pay: (changes?: Parameters, headers?: Parameters) => Promise<TestAnswer>
  readonly check: (changes?: Parameters) => Promise<TestAnswer>
  /** Reads the stored account of a payment or registration with the management API. */
  readonly account: (id: string) => Promise<TestAnswer>
}

export async function riskShop(tollgate: TestGateway, riskRules: object | undefined): Promise<RiskShop> {
  const merchant = await otherMerchant(tollgate)
  if (riskRules) await setRules(tollgate, merchant.merchant, riskRules)
  const authorization = `Bearer ${merchant.token}`
  const post: RiskShop['post'] = (url, form, headers) =>
    tollgate.request({
      method: 'POST',
      url,
      headers: { authorization, 'content-type': FORM, ...headers },
      payload: formOf({ entityId: merchant.channel, ...form }),
    })
  return {
    merchant,
    post,
    read: (id) => tollgate.request({ method: 'GET', url: `/v1/payments/${id}`, headers: { authorization } }),
    pay: (changes, headers) => post('/v1/payments', cardPayment({ ...jane, ...changes }), headers),
    check: (changes) => post('/v1/risk', { amount: '92.00', currency: 'EUR', ...jane, ...changes }),
    account: (id) => tollgate.manage('GET', `/accounts/${id}`),
  }
}

export async function setRules({ manage }: TestGateway, entityId: string, riskRules: object): Promise<void> {
  const { status, text } = await manage('PUT', `/entities/${entityId}/risk-rules`, riskRules)
  expect([status, text]).toEqual([200, text])
}
