import type { BrandKind } from '@tollgate/contract'
import { type Html, html } from '../http/html.ts'

/** What a page pretends to be. */
export type Theme = 'bank' | 'wallet' | 'voucher' | 'credit'

/** By what the shopper pays with. */
export const themes: Readonly<Record<BrandKind, Theme>> = {
  card: 'bank',
  wallet: 'wallet',
  directDebit: 'bank',
  onlineTransfer: 'bank',
  virtualAccount: 'wallet',
  invoice: 'credit',
  prepayment: 'bank',
  voucher: 'voucher',
  giftCard: 'voucher',
  other: 'wallet',
}

const icon = (shapes: Html): Html =>
  html`<svg class="mark" viewBox="0 0 48 48" aria-hidden="true" focusable="false">${shapes}</svg>`

/** A mark for each, in the colours of the page. */
export const marks: Readonly<Record<Theme, Html>> = {
  bank: icon(
    html`<path d="M24 6 6 16v4h36v-4z"/><path d="M10 23h5v13h-5zm11.5 0h5v13h-5zM33 23h5v13h-5zM7 38h34v4H7z"/>`,
  ),
  wallet: icon(html`<path d="M10 11h26a4 4 0 0 1 4 4v2H11a3 3 0 0 1 0-6z" opacity=".55"/>
    <path fill-rule="evenodd" d="M8 15v19a5 5 0 0 0 5 5h27a3 3 0 0 0 3-3V22a3 3 0 0 0-3-3H12a4 4 0 0 1-4-4z
      m26 11a3 3 0 1 1 0 6      3 3 0 0 1 0-6z"/>`),
  voucher:
    icon(html`<path fill-rule="evenodd" d="M8 12h32a3 3 0 0 1 3 3v5a4 4 0 0 0 0 8v5a3 3 0 0 1-3 3H8a3 3 0 0 1-3-3v-5a4 4
      0 0    0 0-8v-5a3 3 0 0 1 3-3zm6 8v8h2v-8zm4 0v8h4v-8zm6 0v8h2v-8zm4 0v8h1v-8zm3 0v8h4v-8z"/>`),
  credit:
    icon(html`<path fill-rule="evenodd" d="M14 6v4h-4a4 4 0 0 0-4 4v24a4 4 0 0 0 4 4h28a4 4 0 0 0 4-4V14a4 4 0 0 0-4-4h-4
      V6h-4v4H18V6z    M10 19h28v19H10zm12.5 14.5 11-10-2.4-2.6-8.4 7.6-3.9-4-2.5 2.5z"/>`),
}
