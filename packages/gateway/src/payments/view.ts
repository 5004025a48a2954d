import { describeResult, isCurrency, isResultCode } from '@tollgate/contract'
import { formatAmount } from '@tollgate/domain'
import type { AccountRow, TransactionRow } from '@tollgate/storage'
import type { Renderer, RequestMark } from '../answer.ts'
import { known } from '../known.ts'
import type { Outcome } from './outcome.ts'

/**
 * The body of every answer about a transaction, whether it was just made or is read again.
 * Source: contract, Response fields; a field that has no value is left out.
 */
export function renderTransaction(
  render: Renderer,
  row: TransactionRow,
  outcome: Outcome,
  account: AccountRow | undefined,
  mark: RequestMark,
): string {
  const code = known(isResultCode, row.result_code)
  const head = {
    id: row.id,
    registrationId: row.type === 'RG' ? undefined : (row.registration_id ?? undefined),
    referencedId: row.referenced_id ?? undefined,
    paymentType: row.type === 'RG' ? undefined : row.type,
    paymentBrand: row.brand ?? undefined,
    brandResult: outcome.brandResult,
    amount: amountOf(row),
    currency: row.currency ?? undefined,
    descriptor: outcome.descriptor,
    result: {
      code,
      description: describeResult(code),
      avsResponse: outcome.avs,
      cvvResponse: outcome.cvv,
    },
    resultDetails: outcome.details,
    card: account && cardView(account, outcome.cardFacts),
  }
  return render.body(head, mark, row.echo)
}

/** "Amounts are returned as strings with a dot as decimal separator", always with two decimals. */
export function amountOf(row: TransactionRow): string | undefined {
  if (row.amount_minor === null || row.currency === null) return undefined
  return formatAmount(row.amount_minor, known(isCurrency, row.currency))
}

/** An amount as it was sent, `20` or `020.00`, in the form that answers have. */
export function withDecimals(sent: string): string {
  const amount = sent.replace(/^0+(?=[0-9])/, '')
  return amount.includes('.') ? amount : `${amount}.00`
}

/** First six and last four are all that ever leaves of a card number. */
function cardView(account: AccountRow, facts: Outcome['cardFacts'] = {}) {
  const { 'issuer.bank': bank, 'issuer.phone': phone, 'issuer.website': website } = facts
  return {
    bin: account.bin ?? undefined,
    last4Digits: account.last4 ?? undefined,
    holder: account.holder ?? undefined,
    expiryMonth: account.expiry_month ?? undefined,
    expiryYear: account.expiry_year ?? undefined,
    issuer: bank === undefined && phone === undefined && website === undefined ? undefined : { bank, phone, website },
    type: facts.type,
    level: facts.level,
    regulatedFlag: facts.regulatedFlag,
  }
}
