import { type Html, html } from '@tollgate/contract'
import type { ShopTexts } from './texts.ts'

/** Test numbers, with the keys of the texts that describe them. The guide to test data contains many more. */
const rows = [
  { value: '4111 1111 1111 1111', text: 'approved' },
  { value: '4200 0000 0000 0042', text: 'challenge' },
  { value: '4000 0000 0000 0002', text: 'declined' },
  { value: 'DE89 3704 0044 0532 0130 00', text: 'debit' },
] as const

/** Renders the test numbers, for developers who try the shop. */
export const testData = (
  texts: ShopTexts,
): Html => html`<details class="card narrow"><summary>${texts.test.name}</summary>
<dl class="facts">${rows.map(
  ({ value, text }) => html`<div><dt>${texts.test[text]}</dt><dd><bdi dir="ltr">${value}</bdi></dd></div>`,
)}</dl><p class="detail">${texts.test.hint}</p></details>`
