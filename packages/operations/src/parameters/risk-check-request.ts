import type { RequestParameters, Secret } from '@tollgate/contract'
import type { Head } from '../request.ts'
import { readBankAccount, readCard, type SentBankAccount, type SentCard } from './account.ts'
import { carries } from './carries.ts'
import { type Money, readMoney } from './money.ts'
import { readReferenceData, type ReferenceData } from './reference-data.ts'
import { readRiskTerms, type RiskTerms } from './risk.ts'

/** A request to check a risk without a payment. */
export interface RiskCheckRequest extends Head {
  readonly money: Money
  readonly reference: ReferenceData
  readonly risk: RiskTerms
  readonly paymentBrand: string | undefined
  readonly account: CheckedAccount
}

/** The account of a risk check: any part of any structure, because it is not charged. */
export type CheckedAccount = SentCard | SentBankAccount | OtherAccount

interface OtherAccount {
  readonly structure: 'tokenAccount' | 'virtualAccount' | 'giftCard'
  readonly number: Secret
}

export function riskCheckRequest(head: Head): RiskCheckRequest & { readonly kind: 'createRiskCheck' } {
  const { parameters } = head
  return {
    kind: 'createRiskCheck',
    requestId: head.requestId,
    atMs: head.atMs,
    ndc: head.ndc,
    caller: head.caller,
    entityId: head.entityId,
    channels: head.channels,
    parameters,
    claim: head.claim,
    money: readMoney(parameters),
    reference: readReferenceData(parameters),
    risk: readRiskTerms(parameters),
    paymentBrand: parameters.values.get('paymentBrand'),
    account: readCheckedAccount(parameters),
  }
}

/** Of several numbers the first counts: card, token, bank account, virtual account, gift card. */
function readCheckedAccount(parameters: RequestParameters): CheckedAccount {
  const { secrets } = parameters
  const card = readCard(parameters)
  if (card.number) return card
  const token = secrets.get('tokenAccount.number')
  if (token) return { structure: 'tokenAccount', number: token }
  const bankAccount = readBankAccount(parameters)
  if (bankAccount.number) return bankAccount
  const virtual = secrets.get('virtualAccount.accountId')
  if (virtual) return { structure: 'virtualAccount', number: virtual }
  const gift = secrets.get('giftCard.number')
  if (gift) return { structure: 'giftCard', number: gift }
  return carries(parameters, 'bankAccount') ? bankAccount : card
}
