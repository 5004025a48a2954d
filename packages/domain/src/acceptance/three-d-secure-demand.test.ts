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
    demanded: readonly AcceptanceSettings['threeDSecure'][],
    changes: Partial<typeof debit>,
    pointOfSale?: boolean,
  ]
>([
  ['a debit', ['enrolled', 'always'], {}],
  ['a preauthorisation', ['enrolled', 'always'], { type: 'PA' }],
  ['a payout', [], { type: 'CD' }],
  ['a rebill', [], { type: 'RB' }],
  ['a registration', [], { type: undefined }],
  ['an account without an issuer', [], { hasIssuer: false }],
  ['a card that a terminal read, according to the request alone', ['enrolled', 'always'], { isCardPresent: true }],
  ['a card that a terminal read, at a point of sale', [], { isCardPresent: true }, true],
  ['a card that no terminal read, at a point of sale', ['enrolled', 'always'], {}, true],
  ['a merchant-initiated debit', [], { merchantInitiated: true }],
  [
    'a merchant-initiated debit that is authenticated (3RI)',
    ['enrolled', 'always'],
    { merchantInitiated: true, authenticatesMerchantInitiated: true },
  ],
  ['a debit with a proof', [], { hasProof: true }],
  ['a shopper who cannot return', ['always'], { canAuthenticate: false }],
  ['a card that is not enrolled', ['always'], { mayBeEnrolled: false }],
])('3-D Secure of %s is demanded in the modes %j of the setting', (_name, demanded, changes, pointOfSale = false) => {
  const demands = modes.filter((threeDSecure) =>
    demandsThreeDSecure({ ...debit, ...changes, settings: { threeDSecure, pointOfSale } }),
  )
  expect(demands).toEqual(demanded)
})
