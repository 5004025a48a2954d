/**
 * An example of a merchant's shop, with checkout, widget, status query, webhook, and the other ways to pay. Like any
 * merchant's server, it needs the gateway's address, a channel and an access token. `shop.ts` adds all routes.
 */
export { startShop, type ShopOptions } from './start-shop.ts'
export { type ShopLanguage, shopLanguages } from './pages/languages.ts'
export { shopTexts } from './pages/texts.ts'
