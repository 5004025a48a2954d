/** A script of the payment pages, with the page that loads it and its purpose. */
interface PageScript {
  readonly name: string
  readonly loadedBy: string
  /** The reason for the script ("inventory … with written justification", PCI DSS 6.4.3). */
  readonly purpose: string
}

/** Every script of the payment pages, in the order in which a browser loads them. */
export const pageScripts: readonly PageScript[] = [
  {
    name: 'paymentWidgets.js',
    loadedBy: 'the merchant’s page, with the digest from `integrity=true`',
    purpose: 'Starts the payment form: reads the status of the checkout and loads `form.js`.',
  },
  {
    name: 'form.js',
    loadedBy: '`paymentWidgets.js`, by its digest',
    purpose:
      'Renders the form in the merchant’s page, submits it and polls the payment. It has no access to ' +
      'card number and cvv.',
  },
  {
    name: 'frame.js',
    loadedBy: '`/pages/fields/number` and `/pages/fields/cvv`, by its digest and a nonce',
    purpose:
      'Renders the fields of card number and cvv in iframes of the gateway’s origin, and sends their values only to ' +
      'the gateway.',
  },
  {
    name: 'authentication.js',
    loadedBy: '`/pages/authentications/{id}`, by its digest and a nonce',
    purpose:
      'Runs 3-D Secure: collects data about the browser, runs the issuer’s 3DS method, and redirects to the ' +
      'issuer’s page and back.',
  },
]

/** The reference of the scripts of payment pages, in Markdown. */
export function describePaymentPage(): string {
  const rows = pageScripts.map(({ name, loadedBy, purpose }) => `| \`${name}\` | ${loadedBy} | ${purpose} |`)
  return [
    '# Scripts of the payment pages',
    '',
    'The scripts that the gateway serves to shoppers’ browsers, with their purposes: the inventory that PCI DSS 6.4.3',
    'requires. `GET /manage/v1/payment-page` returns the digests of the running version; the [guide for',
    'operators](../guides/operate.md#integrity-of-the-payment-pages) describes how they are monitored. This page is',
    'generated from the gateway’s table.',
    '',
    '| script | loaded by | purpose |',
    '|---|---|---|',
    ...rows,
    '',
  ].join('\n')
}
