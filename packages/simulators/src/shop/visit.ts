import type { Clock, Random, SimulatorResponse } from '../http/exchange.ts'
import { chooseLanguage, type PageLanguage, pageLanguages } from '../http/page-language.ts'
import type { Call } from '../http/routes.ts'
import type { Gateway } from './gateway.ts'
import type { Orders } from './orders.ts'
import { type ShopTexts, shopTexts } from './texts.ts'
import type { Visitor, Visitors } from './visitors.ts'

/** What every page can reach. */
export interface Shop {
  /** Where shoppers reach it, without a slash at its end. */
  readonly url: string
  /** Where shoppers' browsers reach the gateway, for its widget. */
  readonly gatewayUrl: string
  readonly gateway: Gateway
  readonly orders: Orders
  readonly visitors: Visitors
  readonly clock: Clock
  readonly random: Random
}

/** A request, and who makes it in which language. */
export interface Visit {
  readonly call: Call
  readonly visitor: Visitor
  readonly language: PageLanguage
  readonly texts: ShopTexts
}

/** What answers at an address. */
export type Action = (shop: Shop, visit: Visit) => SimulatorResponse | Promise<SimulatorResponse>

/** Who comes, and which language they read: `?lang=` chooses one for good. */
export function visitOf({ visitors }: Shop, call: Call): Visit {
  const visitor = visitors.of(call.headers['cookie'])
  const chosen = pageLanguages.find((code) => code === call.query.get('lang'))
  if (chosen) visitors.change(visitor.id, { language: chosen })
  const language = chooseLanguage([chosen, visitor.language], call.headers['accept-language'])
  return { call, visitor, language, texts: shopTexts[language] }
}
