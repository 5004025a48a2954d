import type { RequestParameters, Secret } from '@tollgate/contract'
import type { Head } from '../request-head.ts'
import { readBankAccount, readCard, type SentBankAccount, type SentCard } from './account.ts'
import { hasStructure } from './has-structure.ts'
import { readMoney } from './money.ts'
import { readReferenceData } from './reference-data.ts'
import { readRiskParameters } from './risk.ts'

/** The account of a risk check. It may be incomplete, because it is not charged. */
export type CheckedAccount = SentCard | SentBankAccount | OtherAccount

interface OtherAccount {
  readonly structure: 'tokenAccount' | 'virtualAccount' | 'giftCard'
  readonly number: Secret
}

/** A request for a risk check without a payment. */
export type RiskCheckRequest = Readonly<ReturnType<typeof riskCheckRequest>>

export const riskCheckRequest = (head: Head) => ({
  kind: 'createRiskCheck' as const,
  money: readMoney(head.parameters),
  reference: readReferenceData(head.parameters),
  risk: readRiskParameters(head.parameters),
  paymentBrand: head.parameters.values.get('paymentBrand'),
  account: readCheckedAccount(head.parameters),
  ...head,
})

/**
 * The first account with a number, in this order: card, token, bank account, virtual account, gift card. If no number
 * was sent: the bank account if one of its parameters was sent, else the card.
 */
function readCheckedAccount(parameters: RequestParameters): CheckedAccount {
  const { secrets } = parameters
  const card = readCard(parameters)
  if (card.number) return card
  const token = secrets.get('tokenAccount.number')
  if (token) return { structure: 'tokenAccount', number: token }
  const bankAccount = readBankAccount(parameters)
  if (bankAccount.number) return bankAccount
  const virtualAccount = secrets.get('virtualAccount.accountId')
  if (virtualAccount) return { structure: 'virtualAccount', number: virtualAccount }
  const giftCard = secrets.get('giftCard.number')
  if (giftCard) return { structure: 'giftCard', number: giftCard }
  return hasStructure(parameters, 'bankAccount') ? bankAccount : card
}
