/**
 * The widget is the payment form in a merchant's page. It consists of a small loader and the form in the page, and of
 * pages of the gateway's origin: frames for data that the merchant's page must not see, and the authentication page.
 * The browser code is bundled into files of its own (tools/build-widget.mjs); this module exports the parts that the
 * server renders.
 */
export { type FieldPage, fieldPage, fieldPagePolicy } from './field-page.ts'
export { brandLogo } from './brand-logo.ts'
