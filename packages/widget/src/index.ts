/**
 * The payment form in a merchant's page: a small loader there, and frames from our origin for what the page must not
 * see. What a browser runs is bundled into files of its own (tools/build-widget.mjs); what stands here is for those
 * who serve them.
 */
export { type FieldPage, fieldPage, fieldPagePolicy } from './field-page.ts'
export { brandLogo } from './brand-logo.ts'
