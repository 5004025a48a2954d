/** A script that runs where a shopper pays: who asks for it, and what it is for. */
interface PageScript {
  readonly name: string
  readonly askedForBy: string
  /** Why it is there ("inventory … with written justification", PCI DSS 6.4.3). */
  readonly purpose: string
}

/** Every script of the payment pages, in the order in which a browser meets them. There are no others. */
export const pageScripts: readonly PageScript[] = [
  {
    name: 'paymentWidgets.js',
    askedForBy: 'the merchant’s page, with the digest that `integrity=true` told',
    purpose: 'Begins the payment form: asks how the checkout stands and loads `form.js`.',
  },
  {
    name: 'form.js',
    askedForBy: '`paymentWidgets.js`, by its digest',
    purpose:
      'Draws the form in the merchant’s page, submits it and follows the payment. It sees no card number or cvv.',
  },
  {
    name: 'frame.js',
    askedForBy: '`/pages/fields/number` and `/pages/fields/cvv`, by its digest and a nonce',
    purpose:
      'The fields of card number and cvv, in frames of our origin; sends them to the gateway and to nobody else.',
  },
  {
    name: 'authentication.js',
    askedForBy: '`/pages/authentications/{id}`, by its digest and a nonce',
    purpose:
      '3-D Secure: tells what the browser is, lets the issuer look at it, and leads to the issuer’s page and back.',
  },
]

/** The reference of what payment pages load, Markdown. */
export function describePaymentPage(): string {
  const rows = pageScripts.map(({ name, askedForBy, purpose }) => `| \`${name}\` | ${askedForBy} | ${purpose} |`)
  return [
    '# Scripts of the payment pages',
    '',
    'What runs in a browser while a shopper pays, as far as it comes from the gateway, and why: the inventory that PCI',
    'DSS 6.4.3 asks for. `GET /manage/v1/payment-page` tells the digests of the version that runs; [the guide for',
    'operators](../guides/operate.md#integrity-of-the-payment-pages) says how they are watched. This page is generated',
    'from the table that the gateway runs on.',
    '',
    '| script | asked for by | what for |',
    '|---|---|---|',
    ...rows,
    '',
  ].join('\n')
}
