/**
 * A merchant's shop as an example: checkout, widget, status query, webhook, and the other ways to pay. Its server knows
 * the gateway as any merchant's does, by an address, a channel and an access token. Begin with `shop.ts`.
 */
export { startShop, type ShopOptions } from './start-shop.ts'
export { type ShopLanguage, shopLanguages } from './pages/languages.ts'
export { shopTexts } from './pages/texts.ts'
