import { cardsAndAccounts } from './scenarios/cards.ts'
import { redirects } from './scenarios/redirects.ts'
import { threeDSecure } from './scenarios/three-d-secure.ts'

/** Scenarios of shoppers in the sample shop, by title. */
export const scenarios = { ...cardsAndAccounts, ...redirects, ...threeDSecure } as const
