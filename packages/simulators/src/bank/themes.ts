import { type BrandKind, type Html, html } from '@tollgate/contract'

/** The look of a page. */
export type Theme = 'bank' | 'wallet' | 'voucher' | 'credit'

/** The theme of a brand, by the kind of the brand. */
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

const logo = (...shapes: readonly string[]): Html =>
  html`<svg class="mark" viewBox="0 0 48 48" aria-hidden="true" focusable="false">
<path fill-rule="evenodd" d="${shapes.join(' ')}"/></svg>`

/** The logo of each theme, in the colours of the page. */
export const logos: Readonly<Record<Theme, Html>> = {
  // The front of a bank.
  bank: logo('M24 6 6 16v4h36v-4z', 'M10 23h5v13h-5zm11.5 0h5v13h-5zM33 23h5v13h-5zM7 38h34v4H7z'),
  // A wallet with a clasp.
  wallet: logo(
    'M10 11h26a4 4 0 0 1 4 4v1H11a3 3 0 0 1 0-5z',
    'M8 15v19a5 5 0 0 0 5 5h27a3 3 0 0 0 3-3V22a3 3 0 0 0-3-3H12a4 4 0 0 1-4-4z',
    'M34 26a3 3 0 1 1 0 6 3 3 0 0 1 0-6z',
  ),
  // A voucher with a bar code.
  voucher: logo(
    'M8 12h32a3 3 0 0 1 3 3v5a4 4 0 0 0 0 8v5a3 3 0 0 1-3 3H8a3 3 0 0 1-3-3v-5a4 4 0 0 0 0-8v-5a3 3 0 0 1 3-3z',
    'M14 20v8h2v-8zM18 20v8h4v-8zM24 20v8h2v-8zM28 20v8h1v-8zM31 20v8h4v-8z',
  ),
  // A calendar with a tick.
  credit: logo(
    'M14 6v4h-4a4 4 0 0 0-4 4v24a4 4 0 0 0 4 4h28a4 4 0 0 0 4-4V14a4 4 0 0 0-4-4h-4V6h-4v4H18V6z',
    'M10 19h28v19H10zm12.5 14.5 11-10-2.4-2.6-8.4 7.6-3.9-4-2.5 2.5z',
  ),
}
