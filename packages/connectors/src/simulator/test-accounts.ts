import { currencies, isCurrency, type MerchantAdviceCode, type ResultCode, type Secret } from '@tollgate/contract'
import type { AcquirerRequest } from '../port.ts'
import { indexNumbers } from './number-index.ts'

/** An account at a provider, identified by its id, with a fixed answer. */
export interface TestVirtualAccount {
  readonly number: string
  readonly code: ResultCode
}

/** Virtual accounts of the test environment, of any brand. Any other id triggers no result code. */
export const testVirtualAccounts: readonly TestVirtualAccount[] = [
  { number: 'shopper@wallet.example', code: '000.100.110' },
  { number: 'nobody@wallet.example', code: '800.100.195' },
  { number: 'closed@wallet.example', code: '800.100.172' },
  { number: 'empty@wallet.example', code: '800.100.155' },
  { number: 'busy@wallet.example', code: '800.100.176' },
  { number: 'thief@wallet.example', code: '800.100.158' },
]

/** A token with a fixed response. */
export interface TestToken {
  readonly number: string
  /** The acquirer's response code. */
  readonly response: string
  /** The merchant advice, if it is not the usual one of the response. */
  readonly advice?: MerchantAdviceCode
}

/** Tokens of the test environment, of any brand. Any other token triggers no response. */
export const testTokens: readonly TestToken[] = [
  { number: '4895370000000007', response: '00' },
  { number: '4895370000000510', response: '51' },
  { number: '4895370000000148', response: '14' },
  { number: '4895370000000627', response: '62' },
  { number: '4895370000000544', response: '54' },
  { number: '4895370000000825', response: '82', advice: '04' },
]

/** A gift card with its balance, which never changes: the same request always gets the same answer. */
export interface TestGiftCard {
  readonly number: string
  readonly pin: string
  /** Whole units of the currency of the payment. */
  readonly balance: number
  /** The acquirer's response code, unless the pin is wrong. The balance is compared only if this is 00. */
  readonly response: string
}

/** Gift cards of the test environment, of any brand. Any other number triggers no response. */
export const testGiftCards: readonly TestGiftCard[] = [
  { number: '6006490000000012', pin: '1234', balance: 100, response: '00' },
  { number: '6006490000000251', pin: '1234', balance: 25, response: '00' },
  { number: '6006490000000780', pin: '1234', balance: 0, response: '78' },
  { number: '6006490000000541', pin: '1234', balance: 100, response: '54' },
]

/** The row of `testVirtualAccounts` with this id. */
export const findVirtualAccount = indexNumbers(testVirtualAccounts)

/** The row of `testTokens` with this number. */
export const findToken = indexNumbers(testTokens)

const findGiftCard = indexNumbers(testGiftCards)

/**
 * The response of a gift card's issuer. A debit above the balance gets a partial approval if the channel accepts one,
 * and is otherwise declined.
 *
 * @returns undefined if the number is not listed
 */
export function giftCardResponse(
  number: Secret,
  pin: Secret | undefined,
  request: Pick<AcquirerRequest, 'operation' | 'amountMinor' | 'currency' | 'partialApproval'>,
): { readonly response: string; readonly partMinor?: number; readonly availableBalance?: string } | undefined {
  const giftCard = findGiftCard(number)
  if (!giftCard) return undefined
  const { response, balance } = giftCard
  if (pin && !pin.use((bytes) => Buffer.from(giftCard.pin).equals(bytes))) return { response: WRONG_PIN }
  // A credit needs no balance.
  if (response !== APPROVED || request.operation === 'CD') return { response }
  const balanceMinor = isCurrency(request.currency) ? balance * 10 ** currencies[request.currency].exponent : 0
  if (request.amountMinor <= balanceMinor) return { response }
  if (request.partialApproval) return { response: PARTIAL_APPROVAL, partMinor: balanceMinor }
  return { response: INSUFFICIENT_FUNDS, availableBalance: balance.toFixed(2) }
}

const APPROVED = '00'
const PARTIAL_APPROVAL = '10'
const INSUFFICIENT_FUNDS = '51'
const WRONG_PIN = '55'
