import { InvariantError, isCurrency, parseUrl, type ResultCode } from '@tollgate/contract'
import { digitsText, formatAmount, parseAmount, successIn } from '@tollgate/domain'
import type { AcquirerAnswer, AcquirerRequest, Inquiry } from '../port.ts'

/** `resultDetails.clearingInstituteName` of what shoppers pay on a page of a bank or wallet. */
const clearingInstituteName = 'Tollgate Bank Simulator'

/** Where a payment stands at the provider. */
const providerStates = ['open', 'pending', 'held', 'paid', 'failed', 'cancelled', 'refunded'] as const
type ProviderState = (typeof providerStates)[number]

/** A payment as the provider tells of it. Amounts in units of `currency`, with two decimals. */
export interface ProviderPayment {
  readonly id: string
  readonly reference: string
  readonly amount: string
  readonly currency: string
  readonly state: ProviderState
  /** Agreement for later charges without a page; only of a confirmed payment that asked for one. */
  readonly agreementId?: string
  /** Where the shopper goes on; of one that is open. */
  readonly redirectUrl?: string
}

/** `POST /bank/payments` */
export const openingOf = (request: AcquirerRequest): object => ({
  reference: request.transactionId,
  intent: request.operation === 'PA' ? 'hold' : 'sale',
  amount: amountOf(request),
  currency: request.currency,
  brand: request.brand,
  description: request.descriptor,
  returnUrl: request.pages?.returnUrl,
  notificationUrl: request.pages?.notificationUrl,
  createAgreement: request.createAgreement ? 'true' : undefined,
  agreementId: request.account?.number?.use(textOf),
  locale: request.parameters.get('locale'),
  ...shopperOf(request),
})

/** Details of the shopper, with which the provider fills in its page. */
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

/** With two decimals, as the API writes it. */
export function amountOf({ amountMinor, currency }: Pick<Inquiry, 'amountMinor' | 'currency'>): string {
  if (!isCurrency(currency)) throw new InvariantError('payment has no known currency')
  return formatAmount(amountMinor, currency)
}

/** An approval: its code names the test mode. */
const SUCCESS = '000.000.000'

/** What each state is to a payment, and what is said of it. */
const outcomes: Readonly<Record<ProviderState, readonly [AcquirerAnswer['status'], ResultCode, string]>> = {
  open: ['pending', '000.200.000', 'The shopper must confirm the payment on the redirect page.'],
  pending: ['pending', '800.400.500', 'The bank has taken it up, and tells later what came of it.'],
  held: ['approved', SUCCESS, 'The amount is held.'],
  paid: ['approved', SUCCESS, 'Paid.'],
  failed: ['declined', '800.100.152', 'Declined by the bank.'],
  cancelled: ['declined', '100.396.101', 'Cancelled by the shopper.'],
  refunded: ['approved', SUCCESS, 'Paid, and refunded since.'],
}

/** The request that a payment answers. */
export type ProviderRequest = Pick<Inquiry, 'operation' | 'amountMinor' | 'currency' | 'testMode'>

/** What the provider says of a payment, as an answer to the question that began it. */
export function answerOf(asked: ProviderRequest, payment: ProviderPayment): AcquirerAnswer {
  const paidMinor = amountIn(asked, payment)
  const [status, said, explanation] = wordOf(asked, payment, paidMinor)
  const code = said === SUCCESS ? successIn(asked.testMode) : said
  return {
    status,
    code,
    amountMinor: status === 'declined' ? 0 : status === 'approved' ? (paidMinor ?? 0) : asked.amountMinor,
    details: { ExtendedDescription: explanation, clearingInstituteName, ConnectorTxID1: payment.id },
    agreementId: status === 'approved' ? payment.agreementId : undefined,
    redirect:
      payment.redirectUrl === undefined || status !== 'pending'
        ? undefined
        : { url: payment.redirectUrl, method: 'GET', parameters: [] },
  }
}

type Word = (typeof outcomes)[ProviderState]

/** "Never let an amount/currency mismatch pass as success (000.400.040)": what was paid was paid, and is looked at. */
function wordOf({ operation, amountMinor }: ProviderRequest, { state }: ProviderPayment, paidMinor?: number): Word {
  if (outcomes[state][0] !== 'approved') return outcomes[state]
  if (paidMinor === amountMinor) {
    if (state === 'held' && operation !== 'PA')
      return ['pending', '800.400.500', 'The amount is held, and not taken yet.']
    if (state === 'paid' && operation === 'PA') return ['approved', '000.400.040', 'Paid, where it was to be held.']
    return outcomes[state]
  }
  if (paidMinor !== undefined) return ['approved', '000.400.040', 'Paid, but another amount than was asked for.']
  return ['declined', '100.390.101', 'The bank tells of a payment in another currency than was asked for.']
}

/** What the provider tells of, in the currency that was asked for; undefined: it is none in it. */
function amountIn({ currency }: Pick<Inquiry, 'currency'>, payment: ProviderPayment): number | undefined {
  const amount = isCurrency(currency) && payment.currency === currency && parseAmount(payment.amount, currency)
  return amount && amount.kind === 'amount' ? amount.amountMinor : undefined
}

/** Why the provider refuses, in its words where these are plain. */
export function readRefusal(text: string): string {
  try {
    const value: unknown = JSON.parse(text)
    const message: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, 'message') : undefined
    return typeof message === 'string' && /^[\x20-\x7e]{1,200}$/.test(message) ? message : NO_REASON
  } catch {
    return NO_REASON
  }
}

const NO_REASON = 'it gives no reason'

/** What the provider sent, if it is what it should be. */
export function readPayment(text: string): ProviderPayment | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isPayment(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isPayment(value: unknown): value is ProviderPayment {
  if (typeof value !== 'object' || value === null) return false
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
