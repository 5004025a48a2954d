import { expect, test } from 'vitest'
import type { AcceptanceSettings } from './acceptance-settings.ts'
import { demandsThreeDSecure, type ThreeDSecureSubject } from './three-d-secure-demand.ts'

/** Debit of a card by a shopper who can return from the issuer's page. */
const debit: Omit<ThreeDSecureSubject, 'settings'> = {
  type: 'DB',
  hasIssuer: true,
  isCardPresent: false,
  merchantInitiated: false,
  authenticatesMerchantInitiated: false,
  hasProof: false,
  canAuthenticate: true,
  mayBeEnrolled: true,
}

const modes = ['off', 'enrolled', 'always'] as const

test.each<
  [
    name: string,
    changes: Partial<typeof debit>,
    demanded: readonly AcceptanceSettings['threeDSecure'][],
    pointOfSale?: boolean,
  ]
>([
  ['a debit', {}, ['enrolled', 'always']],
  ['a hold', { type: 'PA' }, ['enrolled', 'always']],
  ['a payout', { type: 'CD' }, []],
  ['a charge without the shopper', { type: 'RB' }, []],
  ['a registration', { type: undefined }, []],
  ['an account without an issuer', { hasIssuer: false }, []],
  ['a card that a terminal read, according to the request alone', { isCardPresent: true }, ['enrolled', 'always']],
  ['a card that a terminal read, at a point of sale', { isCardPresent: true }, [], true],
  ['a card that no terminal read, at a point of sale', {}, ['enrolled', 'always'], true],
  ['a merchant-initiated debit', { merchantInitiated: true }, []],
  [
    'a merchant-initiated debit that is authenticated (3RI)',
    { merchantInitiated: true, authenticatesMerchantInitiated: true },
    ['enrolled', 'always'],
  ],
  ['a debit with a proof', { hasProof: true }, []],
  ['a shopper who cannot return', { canAuthenticate: false }, ['always']],
  ['a card that is not enrolled', { mayBeEnrolled: false }, ['always']],
])(
  '3-D Secure is demanded for %s in the right modes of the channel',
  (_name, changes, demanded, pointOfSale = false) => {
    const demands = modes.filter((threeDSecure) =>
      demandsThreeDSecure({ ...debit, ...changes, settings: { threeDSecure, pointOfSale } }),
    )
    expect(demands).toEqual(demanded)
  },
)
