import {
  describeResult,
  isMerchantAdviceCode,
  isResultCode,
  isSepaBrand,
  type MerchantAdviceCode,
  type ParameterName,
  outcomeOf,
  type ResultCode,
  type Secret,
} from '@tollgate/contract'
import { successCode } from '@tollgate/domain'
import type { AcquirerAccount, AcquirerOperation, AcquirerRequest } from '../port.ts'
import { dialectOf } from './dialects.ts'
import { forcedValue, forcedParameters } from './forced-parameters.ts'
import { approvedInPart, approvedInternally, noResponse, type ResponseOutcome } from './responses.ts'
import { findToken, findVirtualAccount, giftCardResponse } from './test-accounts.ts'
import { findRejectingBankAccount, reasonOfCents } from './test-bank-accounts.ts'
import { findResponseCard } from './test-cards.ts'
import { isAvsResponse, isCvvResponse } from './verification.ts'

/** Response of the simulated acquirer. */
export interface Outcome extends ResponseOutcome {
  /** The acquirer's response code, `resultDetails.AcquirerResponse`. */
  readonly response: string
  /** Balance of an account that does not cover the amount. */
  readonly availableBalance?: string | undefined
  /** Minor units of a partial approval; half of the amount by default. */
  readonly partMinor?: number | undefined
}

/** A property of a request that decides the outcome. */
export interface Trigger {
  /** The place in the request, in Markdown. */
  readonly source: string
  /** The effect, in Markdown. */
  readonly effect: string
  /** undefined: the request lacks the trigger. */
  find(request: AcquirerRequest): Outcome | undefined
}

/** Whether an operation presents an account; a follow-up does not. */
export const presentsAccount: Readonly<Record<AcquirerOperation, boolean>> = {
  PA: true,
  DB: true,
  CD: true,
  CP: false,
  RV: false,
  RF: false,
}

const resultCodeForm = /^\{?(\d{3}\.\d{3}\.\d{3})\}?$/

/** Range of the amounts that trigger a response, in minor units: 888NN.MM in a currency with two decimals. */
const amountTrigger = { first: 8_880_000, last: 8_889_999 } as const

/** Accepted values of forced parameters. Other values give 600.200.810, so that a test with a typing error fails. */
const acceptedValues: readonly (readonly [name: ParameterName, accept: (value: string, brand: string) => boolean])[] = [
  [forcedParameters.forceResultCode, isForcible],
  [forcedParameters.forceAcquirerResponse, (value, brand) => dialectOf(brand).canBeForced(value)],
  [forcedParameters.forceMerchantAdviceCode, isMerchantAdviceCode],
  [forcedParameters.forceAvsResponse, isAvsResponse],
  [forcedParameters.forceCvvResponse, isCvvResponse],
]

/** Triggers in the order of precedence: the first trigger that a request has determines the outcome. */
export const triggers: readonly Trigger[] = [
  {
    source: 'a `customParameters[force…]` with an invalid value',
    effect: '`600.200.810`, and `ExtendedDescription` names the parameter',
    find(request) {
      const wrong = acceptedValues.find(([name, accept]) => {
        const value = request.parameters.get(name)
        return value !== undefined && !accept(value, request.brand)
      })
      return wrong && refused(wrong[0])
    },
  },
  {
    source: '`customParameters[forceResultCode]`',
    effect: `that result code; \`${approvedInPart}\` only if the channel accepts it, as response 10`,
    find(request) {
      const code = forcedValue(request, 'forceResultCode')
      return code !== undefined && isResultCode(code) ? outcomeByCode(code, request) : undefined
    },
  },
  {
    source: '`customParameters[forceAcquirerResponse]`',
    effect: 'that response of the acquirer',
    find(request) {
      const response = forcedValue(request, 'forceAcquirerResponse')
      return response === undefined ? undefined : outcomeByResponse(response, request)
    },
  },
  {
    source: '`pos.iccDataRequest` of a sale that the card has approved offline (tag 9F27: `40`)',
    effect: 'approved, whatever card and amount are',
    find: (request) =>
      request.offlineApproval ? outcomeByResponse(dialectOf(request.brand).approval, request) : undefined,
  },
  {
    source: '`card.holder` or `bankAccount.holder` that is a result code, bare or in braces: `{800.100.152}`',
    effect: 'that result code; a code that cannot be forced gives `600.200.810`',
    find(request) {
      const { operation, account } = request
      if (!presentsAccount[operation] || account === undefined) return undefined
      const code = resultCodeForm.exec(account.holder ?? '')?.[1]
      if (code === undefined) return undefined
      return isResultCode(code) && isForcible(code) ? outcomeByCode(code, request) : refused(`${account.kind}.holder`)
    },
  },
  {
    source: '`card.number` of a declined card above',
    effect: 'the response of that card',
    find(request) {
      const number = presentedNumber(request, 'card')
      const card = number && findResponseCard(number)
      return card && outcomeByResponse(card.response, request)
    },
  },
  {
    source: '`virtualAccount.accountId` of an account above',
    effect: 'the result code of that account',
    find(request) {
      const number = presentedNumber(request, 'virtualAccount')
      const account = number && findVirtualAccount(number)
      if (account?.code === approvedInternally) return outcomeByResponse('00', request)
      return account && outcomeByCode(account.code, request)
    },
  },
  {
    source: '`tokenAccount.number` of a token above',
    effect: 'the response of that token',
    find(request) {
      const number = presentedNumber(request, 'tokenAccount')
      const token = number && findToken(number)
      return token && outcomeByResponse(token.response, request, token.advice)
    },
  },
  {
    source: '`giftCard.number` of a gift card above',
    effect:
      'the response of that gift card; 55 for another `giftCard.pin`; for a debit or preauthorisation ' +
      'above its balance 51, or 10 with the balance if the channel accepts partial approvals',
    find(request) {
      const number = presentedNumber(request, 'giftCard')
      const answer = number && giftCardResponse(number, request.account?.cvv, request)
      return answer && { ...outcomeByResponse(answer.response, request), ...answer }
    },
  },
  {
    source: '`bankAccount.iban` of a rejecting account above',
    effect: 'the reason of that account',
    find(request) {
      const number = isSepaBrand(request.brand) ? presentedNumber(request, 'bankAccount') : undefined
      const account = number && findRejectingBankAccount(number)
      return account && outcomeByResponse(account.reason, request)
    },
  },
  {
    source: '`amount` of a SEPA direct debit (DB) with the cents of an account above that is rejected, such as 92.04',
    effect: 'the reason of that account',
    find(request) {
      const { operation, brand, amountMinor } = request
      const reason = operation === 'DB' && isSepaBrand(brand) ? reasonOfCents(amountMinor) : undefined
      return reason === undefined ? undefined : outcomeByResponse(reason, request)
    },
  },
  {
    source: '`amount` 88800.00 to 88899.99, read as 888NN.MM; not with SEPA',
    effect: 'response NN of the acquirer, with merchant advice MM if there is such an advice',
    find(request) {
      const { amountMinor, brand } = request
      if (isSepaBrand(brand) || amountMinor < amountTrigger.first || amountMinor > amountTrigger.last) return undefined
      const digits = String(amountMinor).slice(-4)
      const advice = digits.slice(2)
      return outcomeByResponse(digits.slice(0, 2), request, isMerchantAdviceCode(advice) ? advice : undefined)
    },
  },
  {
    source: '`amount` 0.00 with `paymentType` PA',
    effect: 'account verification: approved with response 85',
    find: (request) =>
      request.operation === 'PA' && request.amountMinor === 0 ? outcomeByResponse('85', request) : undefined,
  },
]

/** The outcome of the first trigger of a request; without a trigger, an approval. */
export function outcomeOfRequest(request: AcquirerRequest): Outcome {
  for (const trigger of triggers) {
    const outcome = trigger.find(request)
    if (outcome !== undefined) return outcome
  }
  return outcomeByResponse(dialectOf(request.brand).approval, request)
}

/** The number of the presented account; undefined unless the account is of this kind. */
function presentedNumber({ operation, account }: AcquirerRequest, kind: AcquirerAccount['kind']): Secret | undefined {
  return presentsAccount[operation] && account?.kind === kind ? account.number : undefined
}

/** Whether an acquirer returns the code: approvals and rejections, not codes of pending payments or chargebacks. */
function isForcible(code: string): boolean {
  if (!isResultCode(code)) return false
  const outcome = outcomeOf(code)
  return outcome !== 'pending' && outcome !== 'chargeback'
}

function outcomeByCode(code: ResultCode, request: AcquirerRequest): Outcome {
  const response = dialectOf(request.brand).typicalOf(code)
  const outcome = outcomeByResponse(response, request)
  const isPartial = code === approvedInPart
  if (isPartial && !request.partialApproval) return outcome
  return { response, code, explanation: describeResult(code), advice: outcome.advice, isPartial }
}

function outcomeByResponse(response: string, request: AcquirerRequest, advice?: MerchantAdviceCode): Outcome {
  const { brand, partialApproval, testMode } = request
  const usualOutcome = dialectOf(brand).outcomeOf(response, brand, partialApproval)
  const code = usualOutcome.code === approvedInternally ? successCode(testMode) : usualOutcome.code
  return {
    response,
    code,
    explanation: usualOutcome.explanation,
    advice: advice ?? usualOutcome.advice,
    isPartial: usualOutcome.isPartial,
  }
}

function refused(parameter: string): Outcome {
  return {
    code: '600.200.810',
    response: noResponse,
    explanation: `${parameter} has a value that the simulator does not support`,
  }
}
