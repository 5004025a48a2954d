/**
 * The widget is the payment form in a merchant's page. It consists of a small loader and the form in the page, and of
 * frames of the gateway's origin for data that the page must not see. The browser code is bundled into files of its own
 * (tools/build-widget.mjs); this module exports the parts that the server renders.
 */
export { type FieldPage, fieldPage, fieldPagePolicy } from './field-page.ts'
export { brandLogo } from './brand-logo.ts'
