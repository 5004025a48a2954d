import { cardsAndAccounts } from './stories/cards.ts'
import { redirects } from './stories/redirects.ts'
import { threeDSecure } from './stories/three-d-secure.ts'

/** Stories of shoppers in the sample shop, each from the shop's first page to the result at the gateway. */
export const stories = { ...cardsAndAccounts, ...redirects, ...threeDSecure } as const
