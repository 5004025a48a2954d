import { createHash } from 'node:crypto'
import { type Html, html } from '@tollgate/contract'
import type { statementView } from '@tollgate/operations'

type StatementView = ReturnType<typeof statementView>
type CurrencyView = StatementView['currencies'][number]

/** One sheet of A4 is about forty lines; the heads of tables are repeated on each sheet. */
const STYLE = `
@page { size: A4; margin: 18mm 16mm; }
body { font: 10pt/1.4 system-ui, sans-serif; color: #000; background: #fff; max-width: 178mm; margin: 8mm auto; }
h1 { font-size: 16pt; margin: 0 0 2mm; }
h2 { font-size: 12pt; margin: 8mm 0 2mm; break-after: avoid; }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
thead { display: table-header-group; }
tr { break-inside: avoid; }
th, td { padding: 1mm 2mm; text-align: left; border-bottom: 0.2mm solid #bbb; }
th.number, td.number { text-align: right; white-space: nowrap; }
tr.balance td, tr.total td { font-weight: bold; border-bottom: 0.4mm solid #000; }
@media print { body { margin: 0; max-width: none; } }
`

/** The page has no script, loads nothing, and may not be framed. Only its own style sheet applies. */
export const statementPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Renders a statement as a page to print. */
export function statementPage(statement: StatementView): string {
  const { merchantId, merchantName, from, to, completeTo, currencies } = statement
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Statement ${from} to ${to}</title>
<style>${{ html: STYLE }}</style>
</head>
<body>
<h1>Statement</h1>
<p>${merchantName}<br>${merchantId}<br>${from} to ${to}</p>
<p>Complete to: ${completeTo ?? 'no transaction yet'}</p>
${currencies.map(currencySection)}
${currencies.length === 0 ? html`<p>There are no entries.</p>` : undefined}
</body>
</html>
`
  return page.html
}

const numbers = (...texts: readonly (string | number)[]): readonly Html[] =>
  texts.map((text) => html`<td class="number">${text}</td>`)

function currencySection({ currency, opening, lines, totals, feesByKind, closing }: CurrencyView): Html {
  return html`<h2>${currency}</h2>
<table>
<thead><tr><th>Day</th><th>Kind</th>${['Count', 'Gross', 'Fee', 'Net'].map(numberHead)}</tr></thead>
<tbody>
<tr class="balance"><td colspan="5">Opening balance</td>${numbers(opening)}</tr>
${lines.map(
  ({ day, kind, count, gross, fee, net }) =>
    html`<tr><td>${day}</td><td>${kind}</td>${numbers(count, gross, fee, net)}</tr>\n`,
)}<tr class="total"><td colspan="2">Total</td>${numbers(totals.count, totals.gross, totals.fee, totals.net)}</tr>
<tr class="balance"><td colspan="5">Closing balance</td>${numbers(closing)}</tr>
</tbody>
</table>
${feesByKind.length === 0 ? undefined : feeTable(feesByKind)}
`
}

const numberHead = (text: string): Html => html`<th class="number">${text}</th>`

const feeTable = (fees: CurrencyView['feesByKind']): Html => html`<h2>Fees</h2>
<table>
<thead><tr><th>Kind</th>${['Count', 'Fee'].map(numberHead)}</tr></thead>
<tbody>
${fees.map(({ kind, count, fee }) => html`<tr><td>${kind}</td>${numbers(count, fee)}</tr>\n`)}</tbody>
</table>
`
