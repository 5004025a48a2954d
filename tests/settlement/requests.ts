import type { CurrencyCode } from '@tollgate/contract'
import { formatAmount } from '@tollgate/domain'
import { cardPayment, FORM, formOf, type Parameters } from '@tollgate/gateway/testing'
import { businessDayAt } from './business-day.ts'
import { currenciesOfSouth, type Installation } from './installation.ts'
import { statusOf, type Transaction } from './transactions.ts'

/** The facts of a transaction that a request determines. */
export type Requested = Pick<Transaction, 'type' | 'amountMinor' | 'currency' | 'merchant' | 'referenced'>

/** A transaction with its result code. */
export interface Answered {
  readonly transaction: Transaction
  readonly code: string
}

export interface Requests {
  readonly send: (path: string, parameters: Parameters, requested: Requested) => Promise<Answered>
  /** Reads the result of a pending transaction. */
  readonly read: (transaction: Transaction) => Promise<void>
}

/** A brand and a card number. */
export type Card = readonly [brand: string, number: string]

/** The account of a card, for payments by the hosts of acquirers. */
export function accountOf([paymentBrand, number]: Card): Parameters {
  const cvv = paymentBrand === 'AMEX' ? '1234' : '123'
  const card = { 'card.number': number, 'card.cvv': cvv, paymentBrand, testMode: 'EXTERNAL' }
  return cardPayment({ ...card, amount: undefined, currency: undefined, paymentType: undefined })
}

/** Sends requests of merchants, and records their answers. */
export function createRequests({ tollgate, acquirers, merchants }: Installation): Requests {
  function merchantAt(number: number) {
    const merchant = merchants[number]
    if (!merchant) throw new Error(`there is no merchant ${number}`)
    return merchant
  }

  function acquirerOf(currency: CurrencyCode) {
    const acquirer = acquirers[currenciesOfSouth.has(currency) ? 1 : 0]
    if (!acquirer) throw new Error('the installation has two acquirers')
    return acquirer
  }

  return {
    async send(path, parameters, requested) {
      const { channel, token } = merchantAt(requested.merchant)
      const acquirer = acquirerOf(requested.currency)
      const atMs = tollgate.gateway.clock.now()
      const { body } = await tollgate.request({
        method: 'POST',
        url: path,
        headers: { authorization: `Bearer ${token}`, 'content-type': FORM },
        payload: formOf({
          ...parameters,
          entityId: channel,
          paymentType: requested.type,
          amount: formatAmount(requested.amountMinor, requested.currency),
          currency: requested.currency,
        }),
      })
      const { id = '', result, resultDetails } = body
      const transaction: Transaction = {
        ...requested,
        id,
        rootId: requested.referenced?.rootId ?? id,
        acquirer,
        atMs,
        day: businessDayAt(acquirer.cutOff, atMs),
        merchantTransactionId: parameters['merchantTransactionId'] ?? '',
        status: statusOf(result.code),
        reference: resultDetails?.ConnectorTxID2 ?? '',
        isReversed: false,
      }
      return { transaction, code: result.code }
    },
    async read(transaction) {
      const { channel, token } = merchantAt(transaction.merchant)
      const { body } = await tollgate.request({
        method: 'GET',
        url: `/v1/payments/${transaction.id}?entityId=${channel}`,
        headers: { authorization: `Bearer ${token}` },
      })
      transaction.status = statusOf(body.result.code)
      transaction.reference = body.resultDetails?.ConnectorTxID2 ?? ''
    },
  }
}
