import { isCurrency, isResultCode } from '@tollgate/contract'
import { formatAmount, httpStatusOf } from '@tollgate/domain'
import type { TransactionRow } from '@tollgate/storage'
import type { Answer, Renderer, RequestMark } from '../answer.ts'
import { narrow } from '../narrow.ts'
import type { Context } from '../context.ts'

/**
 * The body of an answer about a stored transaction, at its creation and at later reads.
 * Source: contract, Response fields; a field without a value is left out.
 */
export function renderTransaction(render: Renderer, row: TransactionRow, mark: RequestMark): string {
  const head = {
    id: row.id,
    registrationId: row.type === 'RG' ? undefined : (row.registration_id ?? undefined),
    referencedId: row.referenced_id ?? undefined,
    paymentType: row.type === 'RG' ? undefined : row.type,
    paymentBrand: row.brand ?? undefined,
    amount: amountOf(row),
    currency: row.currency ?? undefined,
  }
  return render.body(head, mark, row.outcome, row.echo)
}

/** "Amounts are returned as strings with a dot as decimal separator", always with two decimals. */
export function amountOf(row: TransactionRow): string | undefined {
  if (row.amount_minor === null || row.currency === null) return undefined
  return formatAmount(row.amount_minor, narrow(isCurrency, row.currency))
}

/** Formats an amount that a merchant sent, such as `20` or `020.00`, as answers show it: `20.00`. */
export function withDecimals(sent: string): string {
  const amount = sent.replace(/^0+(?=[0-9])/, '')
  return amount.includes('.') ? amount : `${amount}.00`
}

/** The answer about a stored transaction. */
export function answerAbout({ render }: Pick<Context, 'render'>, mark: RequestMark, row: TransactionRow): Answer {
  const code = narrow(isResultCode, row.result_code)
  return { status: httpStatusOf(code), code, body: renderTransaction(render, row, mark) }
}
