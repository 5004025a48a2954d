import { InvariantError, isCurrency, parseUrl, type ResultCode } from '@tollgate/contract'
import { digitsText, formatAmount, parseAmount, successCode } from '@tollgate/domain'
import type { AcquirerAnswer, AcquirerRequest, Inquiry } from '../port.ts'

/** `resultDetails.clearingInstituteName` of payments with a redirect. */
const clearingInstituteName = 'Tollgate Bank Simulator'

/** States of a payment at the provider. */
const providerStates = ['open', 'pending', 'held', 'paid', 'failed', 'cancelled', 'refunded'] as const
type ProviderState = (typeof providerStates)[number]

/** A payment in the provider's answers. The amount is in units of `currency`, with two decimals. */
export interface ProviderPayment {
  readonly id: string
  readonly reference: string
  readonly amount: string
  readonly currency: string
  readonly state: ProviderState
  /** Id of the agreement under which later charges need no page; only of a confirmed payment that requested one. */
  readonly agreementId?: string
  /** The provider's page on which the shopper confirms the payment; only of an open payment. */
  readonly redirectUrl?: string
}

/** The body of `POST /bank/payments`. */
export const newPaymentOf = (request: AcquirerRequest): object => ({
  reference: request.transactionId,
  intent: request.operation === 'PA' ? 'hold' : 'sale',
  amount: amountOf(request),
  currency: request.currency,
  brand: request.brand,
  description: request.descriptor,
  returnUrl: request.urls?.returnUrl,
  notificationUrl: request.urls?.notificationUrl,
  createAgreement: request.createAgreement ? 'true' : undefined,
  agreementId: request.account?.number?.use(textOf),
  locale: request.parameters.get('locale'),
  ...shopperOf(request),
})

/** Details of the shopper and of the order that the provider shows on its page. */
const shopperOf = ({ parameters, secrets }: AcquirerRequest): object => ({
  merchantReference: parameters.get('merchantTransactionId'),
  email: parameters.get('customer.email'),
  country: parameters.get('billing.country'),
  accountHolder: parameters.get('bankAccount.holder'),
  bankName: parameters.get('bankAccount.bankName'),
  bankCountry: parameters.get('bankAccount.country'),
  bic: parameters.get('bankAccount.bic'),
  iban: secrets.get('bankAccount.iban')?.use(textOf),
})

const textOf = (characters: Uint8Array): string => digitsText(characters, 0, characters.length)

/** Amount with two decimals, as in the provider's API. */
export function amountOf({ amountMinor, currency }: Pick<Inquiry, 'amountMinor' | 'currency'>): string {
  if (!isCurrency(currency)) throw new InvariantError('payment has no known currency')
  return formatAmount(amountMinor, currency)
}

/** Placeholder for the result code of an approval, which depends on the test mode. */
const SUCCESS = '000.000.000'

/** Status, result code and description of each state. */
const outcomes: Readonly<Record<ProviderState, readonly [AcquirerAnswer['status'], ResultCode, string]>> = {
  open: ['pending', '000.200.000', 'The shopper must confirm the payment on the redirect page.'],
  pending: ['pending', '800.400.500', 'The bank processes the payment; its result comes later.'],
  held: ['approved', SUCCESS, 'The amount is held.'],
  paid: ['approved', SUCCESS, 'Paid.'],
  failed: ['declined', '800.100.152', 'Declined by the bank.'],
  cancelled: ['declined', '100.396.101', 'Cancelled by the shopper.'],
  refunded: ['approved', SUCCESS, 'Paid, and refunded since.'],
}

/** The request that began a payment. */
export type ProviderRequest = Pick<Inquiry, 'operation' | 'amountMinor' | 'currency' | 'testMode'>

/** The acquirer's answer to a request, from the state of its payment. */
export function answerOf(request: ProviderRequest, payment: ProviderPayment): AcquirerAnswer {
  const paidMinor = amountIn(request, payment)
  const [status, result, explanation] = outcomeFor(request, payment, paidMinor)
  const code = result === SUCCESS ? successCode(request.testMode) : result
  return {
    status,
    code,
    amountMinor: status === 'declined' ? 0 : status === 'approved' ? (paidMinor ?? 0) : request.amountMinor,
    details: { ExtendedDescription: explanation, clearingInstituteName, ConnectorTxID1: payment.id },
    agreementId: status === 'approved' ? payment.agreementId : undefined,
    redirect:
      payment.redirectUrl === undefined || status !== 'pending'
        ? undefined
        : { url: payment.redirectUrl, method: 'GET', parameters: [] },
  }
}

type Outcome = (typeof outcomes)[ProviderState]

/**
 * "Never let an amount/currency mismatch pass as success (000.400.040)": a held or paid payment of another amount, and
 * a sale instead of a hold, are approved for review. A hold instead of a sale stays pending. A payment in another
 * currency, or with a malformed amount, is declined.
 */
function outcomeFor(
  { operation, amountMinor }: ProviderRequest,
  { state }: ProviderPayment,
  paidMinor?: number,
): Outcome {
  if (outcomes[state][0] !== 'approved') return outcomes[state]
  if (paidMinor === amountMinor) {
    if (state === 'held' && operation !== 'PA')
      return ['pending', '800.400.500', 'The amount is held, but not taken yet.']
    if (state === 'paid' && operation === 'PA') return ['approved', '000.400.040', 'Paid instead of held.']
    return outcomes[state]
  }
  if (paidMinor !== undefined) return ['approved', '000.400.040', 'Paid, but with another amount than requested.']
  return ['declined', '100.390.101', 'The bank reports another currency than requested.']
}

/** The provider's amount in the requested currency; undefined if it is malformed or in another currency. */
function amountIn({ currency }: Pick<Inquiry, 'currency'>, payment: ProviderPayment): number | undefined {
  const amount = isCurrency(currency) && payment.currency === currency && parseAmount(payment.amount, currency)
  return amount && amount.kind === 'amount' ? amount.amountMinor : undefined
}

/** The reason of the provider's refusal, if it is a short line of ASCII. */
export function readRefusal(text: string): string {
  const message: unknown = Reflect.get(objectIn(text), 'message')
  return typeof message === 'string' && /^[\x20-\x7e]{1,200}$/.test(message) ? message : 'no reason was given'
}

/** The payment in the provider's answer; undefined if the answer is malformed. */
export function readPayment(text: string): ProviderPayment | undefined {
  const value = objectIn(text)
  return isPayment(value) ? value : undefined
}

/** The JSON object of a body; an empty one for any other text. */
function objectIn(text: string): object {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}

function isPayment(value: object): value is ProviderPayment {
  const isText = (name: string) => typeof Reflect.get(value, name) === 'string'
  const redirectUrl: unknown = Reflect.get(value, 'redirectUrl')
  const agreementId: unknown = Reflect.get(value, 'agreementId')
  return (
    ['id', 'reference', 'amount', 'currency'].every(isText) &&
    providerStates.some((state) => state === Reflect.get(value, 'state')) &&
    (agreementId === undefined || (typeof agreementId === 'string' && /^[!-~]{1,100}$/.test(agreementId))) &&
    (redirectUrl === undefined || (typeof redirectUrl === 'string' && parseUrl(redirectUrl) !== undefined))
  )
}
