import type { Call } from '../../http/public/route.ts'
import type { AccountFace, AccountKind } from '../account-view.ts'
import { ends } from '../instruments/card.ts'
import type { RiskAccount } from './check-risk.ts'

/** Where an account's number stands; the first that was sent counts. */
const numbers: readonly (readonly [kind: AccountKind, name: string])[] = [
  ['card', 'card.number'],
  ['tokenAccount', 'tokenAccount.number'],
  ['bankAccount', 'bankAccount.iban'],
  ['bankAccount', 'bankAccount.number'],
  ['virtualAccount', 'virtualAccount.accountId'],
  ['giftCard', 'giftCard.number'],
]

/**
 * The account of a check that stands alone. Any part of any structure will do, since nothing is paid with it; what may
 * be shown of it is kept of a card.
 */
export function riskAccountOf({ form: { values, secrets } }: Call): RiskAccount {
  const [kind, name] = numbers.find(([, each]) => secrets.has(each)) ?? ['card', 'card.number']
  const number = secrets.get(name)
  // As it is stored, so that it is recognised.
  if (kind === 'bankAccount') number?.use(toUpperCase)
  if (kind !== 'card' || !number) return { kind, number, face: undefined }
  const face: AccountFace = {
    ...ends(number),
    holder: values.get('card.holder') ?? null,
    expiryMonth: values.get('card.expiryMonth') ?? null,
    expiryYear: values.get('card.expiryYear') ?? null,
    details: {},
  }
  return { kind, number, face }
}

function toUpperCase(characters: Uint8Array): void {
  for (const [at, byte] of characters.entries()) if (byte >= 0x61 && byte <= 0x7a) characters[at] = byte - 0x20
}
