import type { AcquirerRequest } from '@tollgate/connectors'
import { isBrand, type ResultCode } from '@tollgate/contract'
import { type CardAttempt, retryRefusal } from '@tollgate/domain'
import type { Context } from '../context.ts'
import { hex } from '../hex.ts'
import { narrow } from '../narrow.ts'
import { isCardholderAuthenticated } from '../parameters/authentication.ts'
import type { AccountRequest } from '../parameters/account-request.ts'
import type { DeclinedCardIds } from '../ports/declined-cards.ts'
import { hasCardNetwork } from '../records/masked-account.ts'
import type { AcquirerResponse } from './acquirer-response.ts'

/** The facts of an attempt by which the networks limit retries, besides its request to the acquirer. */
export interface AttemptFacts {
  readonly merchant: string
  /** Whether the merchant charges a stored card without the cardholder. */
  readonly isMerchantInitiated: boolean
  readonly isAuthenticated: boolean
}

/** The facts of the attempt of a request. @param channel that of the attempt */
export const attemptFactsOf = (
  { instruction, parameters }: Pick<AccountRequest, 'instruction' | 'parameters'>,
  { merchant }: { readonly merchant: string },
): AttemptFacts => ({
  merchant,
  isMerchantInitiated: instruction.source === 'MIT',
  isAuthenticated: isCardholderAuthenticated(parameters),
})

/** An attempt with a card whose retries the networks limit. */
interface LimitedAttempt extends CardAttempt {
  readonly ids: DeclinedCardIds
  readonly merchant: string
}

/** The limits of retries with the card of one request. */
export interface CardRetries {
  /** The decline of an attempt that the networks forbid; undefined: it may be sent. */
  refusal(): Promise<AcquirerResponse | undefined>
  /** Stores the decline of the card by its issuer, if the response is one. */
  record(response: AcquirerResponse): Promise<void>
}

/**
 * The limits of retries with the card of a debit or preauthorisation. Payouts credit the card, and an offline sale has
 * already happened.
 *
 * @returns undefined: the networks do not limit the request
 */
export function cardRetriesOf(
  context: Pick<Context, 'vault' | 'rates'>,
  request: AcquirerRequest,
  facts: AttemptFacts | undefined,
): CardRetries | undefined {
  const attempt = facts && limitedAttemptOf(context, request, facts)
  if (!attempt) return undefined
  const { declinedCards } = context.rates
  return {
    async refusal() {
      const declines = await declinedCards.find(attempt.ids)
      const refusal = declines && retryRefusal(declines, attempt)
      return refusal && refusedRetry(refusal.code, refusal.reason)
    },
    async record({ status, code, cvv, issuerDecline }) {
      if (status !== 'declined' || !issuerDecline) return
      const isCvvWrong = cvv === 'N' || code === CVV_WRONG
      const { ids, merchant, expiry, isAuthenticated, atMs } = attempt
      await declinedCards.add(ids, merchant, { ...issuerDecline, atMs, code, expiry, isAuthenticated, isCvvWrong })
    },
  }
}

const CVV_WRONG: ResultCode = '800.100.153'

function limitedAttemptOf(
  { vault }: Pick<Context, 'vault'>,
  { operation, account, brand, atMs, offlineApproval }: AcquirerRequest,
  { merchant, isMerchantInitiated, isAuthenticated }: AttemptFacts,
): LimitedAttempt | undefined {
  const isAuthorisation = operation === 'PA' || operation === 'DB'
  if (!isAuthorisation || offlineApproval || !account?.number || !hasCardNetwork(account.kind)) return undefined
  const { number, expiryMonth, expiryYear, cvv } = account
  return {
    ids: vault
      .fingerprints(number)
      .map(({ code }) => hex(vault.mac('idempotency', `declines|${merchant}|${hex(code)}`))),
    merchant,
    atMs,
    brand: narrow(isBrand, brand),
    expiry: expiryYear && expiryMonth ? `${expiryYear}-${expiryMonth}` : undefined,
    isAuthenticated,
    isMerchantInitiated,
    hasCvv: cvv !== undefined,
  }
}

const refusedRetry = (code: ResultCode, reason: string): AcquirerResponse => ({
  status: 'declined',
  code,
  amountMinor: 0,
  details: { ExtendedDescription: `Not sent: ${reason}.` },
})
