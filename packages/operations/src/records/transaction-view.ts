import { isCurrency, isResultCode } from '@tollgate/contract'
import { formatAmount, httpStatusOf } from '@tollgate/domain'
import type { TransactionRow } from '@tollgate/storage'
import type { Answer, Renderer, RequestMark } from '../answer.ts'
import { narrow } from '../narrow.ts'
import type { Context } from '../context.ts'
import { amountsJson, type AmountsView } from './amounts-view.ts'

/**
 * The body of an answer about a stored transaction, at its creation and at later reads.
 * Source: contract, Response fields; a field without a value is left out. The fields of the row are joined without
 * `JSON.stringify`, which would take three times as long: ids, codes and amounts have no characters to escape.
 */
export const renderTransaction = (render: Renderer, row: TransactionRow, mark: RequestMark): string =>
  render.bodyOf(fieldsOf(row), mark, row.outcome, row.echo)

/** As `renderTransaction`, with the amounts of the payment that the transaction began. */
export const renderWithAmounts = (
  render: Renderer,
  row: TransactionRow,
  mark: RequestMark,
  amounts: AmountsView,
): string => render.bodyOf(fieldsOf(row), mark, row.outcome, row.echo, `{"amounts":${amountsJson(amounts)}}`)

function fieldsOf(row: TransactionRow): string {
  const isRegistration = row.type === 'RG'
  return (
    `"id":"${row.id}"` +
    field('registrationId', isRegistration ? null : row.registration_id) +
    field('referencedId', row.referenced_id) +
    field('paymentType', isRegistration ? null : row.type) +
    field('paymentBrand', row.brand) +
    field('amount', amountOf(row)) +
    field('currency', row.currency)
  )
}

const field = (name: string, value: string | null | undefined): string =>
  value === null || value === undefined ? '' : `,"${name}":"${value}"`

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
