import { InvariantError, isCurrency, type ParameterName, type Secret } from '@tollgate/contract'
import { formatAmount } from '@tollgate/domain'
import type { AcquirerAccount, AcquirerRequest } from '../port.ts'

/** The account of this gateway at the upstream gateway. */
export interface UpstreamAccount {
  /** The entity by which the upstream knows the merchant. */
  readonly entityId: string
  readonly environment: 'test' | 'live'
  /** The currency of account verifications whose request names none. */
  readonly verificationCurrency: string
}

/** Everything from which the parameters of a request are computed. */
export interface FormSource {
  readonly request: AcquirerRequest
  readonly account: UpstreamAccount
  /** The `merchantTransactionId` of the request. */
  readonly reference: string
}

/** undefined: the request does not contain the parameter. */
type Value = string | Secret | undefined

/** A parameter whose value is not that of the merchant's request. */
export interface ReplacedParameter {
  /** The source of the value. */
  readonly source: string
  readonly valueOf: (source: FormSource) => Value
}

type AccountKind = AcquirerAccount['kind']
type Replaced = readonly [name: ParameterName, replaced: ReplacedParameter]

const own = (name: ParameterName, source: string, valueOf: ReplacedParameter['valueOf']): Replaced => [
  name,
  { source, valueOf },
]

/** A field of the account; of another kind of account than that of the payment, the sent parameter. */
const field = (
  name: ParameterName,
  kind: AccountKind,
  valueOf: (account: AcquirerAccount, source: FormSource) => Value,
): Replaced =>
  own(name, 'the account', (source) => {
    const { account, parameters, secrets } = source.request
    const value = account?.kind === kind ? valueOf(account, source) : undefined
    return value ?? parameters.get(name) ?? secrets.get(name)
  })

/** A field of a stored account that has no member of its own. The merchant's request may replace it. */
const detail = (name: ParameterName, kind: AccountKind): Replaced =>
  own(name, 'the account', ({ request: { account, parameters } }) => {
    const sent = parameters.get(name)
    return sent ?? (account?.kind === kind ? detailOf(account, name.slice(kind.length + 1)) : undefined)
  })

function detailOf({ details }: AcquirerAccount, path: string): string | undefined {
  let value: AcquirerAccount['details'] | string = details
  for (const part of path.split('.')) value = typeof value === 'object' ? value[part] : undefined
  return typeof value === 'string' ? value : undefined
}

/** Whether a bank account is identified by an IBAN: two letters, two digits. */
const isIban = (number: Secret): boolean =>
  number.use(([a = 0, b = 0, c = 0, d = 0]) => isLetter(a) && isLetter(b) && isDigit(c) && isDigit(d))

const isLetter = (code: number): boolean => code >= 0x41 && code <= 0x5a
const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39

/**
 * Whether the request refers to a payment. Such a request names neither its brand nor its account: the upstream knows
 * them.
 */
const isFollowUp = ({ original }: AcquirerRequest): boolean => original !== undefined

/** "RV is sent with neither amount nor currency: the server fills them in" (interop), unless it reverses a part. */
const reversesAll = ({ operation, amountMinor, original }: AcquirerRequest): boolean =>
  operation === 'RV' && amountMinor === original?.amountMinor

function amountOf({ request, account }: FormSource): Value {
  const currency = currencyOf({ request, account })
  if (!isCurrency(currency)) throw new InvariantError('payment has no known currency', request.transactionId)
  return reversesAll(request) ? undefined : formatAmount(request.amountMinor, currency)
}

interface CurrencySource {
  readonly request: Pick<AcquirerRequest, 'currency'>
  readonly account: Pick<UpstreamAccount, 'verificationCurrency'>
}

/** The currency of a request. An account verification may have none (XXX). */
export const currencyOf = ({ request, account }: CurrencySource): string =>
  request.currency === 'XXX' ? account.verificationCurrency : request.currency

/** Whether the request is a charge under an agreement, which is a registration at the upstream gateway. */
export const isCharge = ({ redirected, account }: Pick<AcquirerRequest, 'redirected' | 'account'>): boolean =>
  redirected === true && account?.kind === 'virtualAccount' && account.number !== undefined

/**
 * The parameters that a request to an upstream gateway contains with a value of this gateway, in the order of the
 * contract.
 */
export const replacedParameters: readonly Replaced[] = [
  own('entityId', 'the entity at the upstream', ({ account }) => account.entityId),
  own('amount', 'the amount that the rules permit', amountOf),
  own('currency', 'the currency of the payment', (source) =>
    reversesAll(source.request) ? undefined : currencyOf(source),
  ),
  own('paymentBrand', 'the brand of the account', ({ request }) => (isFollowUp(request) ? undefined : request.brand)),
  own('paymentType', 'the operation', ({ request }) => request.operation),
  own('descriptor', 'the descriptor of the payment', ({ request }) => request.descriptor || undefined),
  own('merchantTransactionId', 'the reference of the attempt', ({ reference }) => reference),
  own('testMode', 'the test mode; not in live', ({ request, account }) =>
    account.environment === 'test' ? (request.testMode ?? undefined) : undefined,
  ),
  field('card.holder', 'card', ({ holder }) => holder),
  field('card.number', 'card', ({ number }) => number),
  field('card.expiryMonth', 'card', ({ expiryMonth }) => expiryMonth),
  field('card.expiryYear', 'card', ({ expiryYear }) => expiryYear),
  field('card.cvv', 'card', ({ cvv }) => cvv),
  detail('card.numberType', 'card'),
  own('virtualAccount.accountId', 'the account; an agreement is in the path', ({ request }) =>
    isCharge(request)
      ? undefined
      : ((request.account?.kind === 'virtualAccount' ? request.account.number : undefined) ??
        request.secrets.get('virtualAccount.accountId')),
  ),
  field('bankAccount.holder', 'bankAccount', ({ holder }) => holder),
  detail('bankAccount.bankName', 'bankAccount'),
  field('bankAccount.number', 'bankAccount', ({ number }) => (number && !isIban(number) ? number : undefined)),
  field('bankAccount.iban', 'bankAccount', ({ number }) => (number && isIban(number) ? number : undefined)),
  detail('bankAccount.bankCode', 'bankAccount'),
  detail('bankAccount.bic', 'bankAccount'),
  detail('bankAccount.country', 'bankAccount'),
  detail('bankAccount.mandate.id', 'bankAccount'),
  detail('bankAccount.mandate.dateOfSignature', 'bankAccount'),
  field('tokenAccount.number', 'tokenAccount', ({ number }) => number),
  detail('tokenAccount.type', 'tokenAccount'),
  field('tokenAccount.expiryMonth', 'tokenAccount', ({ expiryMonth }) => expiryMonth),
  field('tokenAccount.expiryYear', 'tokenAccount', ({ expiryYear }) => expiryYear),
  field('tokenAccount.dtvc', 'tokenAccount', ({ cvv }) => cvv),
  own('createRegistration', 'the wish for an agreement with a provider', ({ request }) =>
    request.createAgreement ? 'true' : undefined,
  ),
  own('shopperResultUrl', 'the return page of this gateway', ({ request }) => request.urls?.returnUrl),
  own('notificationUrl', 'the notification page of this gateway', ({ request }) => request.urls?.notificationUrl),
  field('giftCard.number', 'giftCard', ({ number }) => number),
  field('giftCard.pin', 'giftCard', ({ cvv }) => cvv),
  field('giftCard.holder', 'giftCard', ({ holder }) => holder),
  own(
    'standingInstruction.initialTransactionId',
    'the network id of the agreement',
    ({ request }) => request.initialTransactionId ?? request.parameters.get('standingInstruction.initialTransactionId'),
  ),
  // "PA on PA, incremental: … industryPractice=INCREMENTAL_AUTH" (domain, Transition table).
  own('standingInstruction.industryPractice', 'the increase of a hold, or the sent value', ({ request }) =>
    request.operation === 'PA' && isFollowUp(request)
      ? 'INCREMENTAL_AUTH'
      : request.parameters.get('standingInstruction.industryPractice'),
  ),
]
