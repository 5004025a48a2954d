import { HOUR_MS, parametersOf } from '@tollgate/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { limits } from '../limits.ts'
import { assessRisk, type RiskFacts } from './assess.ts'
import type { RiskCondition, RiskRule, RiskRules, RiskVerdict } from './rules.ts'
import { type AccountTraits, countedTraits, countriesOf, countrySources, traitsOf } from './traits.ts'

const NOW_MS = Date.UTC(2026, 4, 4)
const FINGERPRINT = 'ab'.repeat(32)
const account: AccountTraits = { fingerprints: [FINGERPRINT], brand: 'VISA', bin: '420000', country: undefined }

/** A payment of 92.00 EUR by Jane, who paid 100.00 EUR and 70.00 USD within an hour, and 50.00 EUR an hour ago. */
const facts = (values: Readonly<Record<string, string>> = {}, changes: Partial<RiskFacts> = {}): RiskFacts => {
  const parameters = parametersOf({ 'customer.email': 'Jane@Jones.example', ...values }).values
  const earlier = [
    { amountMinor: 10_000, currency: 'EUR', atMs: NOW_MS - 0.5 * HOUR_MS },
    { amountMinor: 7_000, currency: 'USD', atMs: NOW_MS - 0.6 * HOUR_MS },
    { amountMinor: 5_000, currency: 'EUR', atMs: NOW_MS - HOUR_MS },
  ] as const
  return {
    amountMinor: 9_200,
    currency: 'EUR',
    traits: traitsOf(parameters, account),
    countries: countriesOf(parameters, account),
    earlier: new Map([['customer.email', earlier]]),
    orderedAtMs: NOW_MS,
    atMs: NOW_MS,
    ...changes,
  }
}

const rulesOf = (rules: readonly RiskRule[], reviewFrom?: number, rejectFrom?: number): RiskRules => ({
  rules,
  reviewFrom,
  rejectFrom,
})

const amount = (aboveMinor: number): RiskCondition => ({ kind: 'amount', currency: 'EUR', aboveMinor })
const by = 'customer.email'
const billing = { 'billing.country': 'DE' }

describe('a rule', () => {
  const cases: readonly (readonly [name: string, when: RiskCondition, facts: RiskFacts, hits: boolean])[] = [
    ['amount: above the limit', amount(9_199), facts(), true],
    ['amount: exactly the limit', amount(9_200), facts(), false],
    ['amount: a currency other than the rule’s', amount(1), facts({}, { currency: 'USD' }), false],

    [
      'count: a third payment, where two are allowed',
      { kind: 'count', by, above: 2, withinMs: HOUR_MS },
      facts(),
      true,
    ],
    [
      'count: a third payment, where three are allowed',
      { kind: 'count', by, above: 3, withinMs: HOUR_MS },
      facts(),
      false,
    ],
    [
      'count: a window that contains the oldest payment',
      { kind: 'count', by, above: 3, withinMs: HOUR_MS + 1 },
      facts(),
      true,
    ],
    [
      'count: a first payment, where none is allowed',
      { kind: 'count', by, above: 0, withinMs: HOUR_MS },
      facts({}, { earlier: new Map() }),
      true,
    ],
    [
      'count: a trait that was not sent',
      { kind: 'count', by: 'customer.ip', above: 0, withinMs: HOUR_MS },
      facts(),
      false,
    ],

    [
      'sum: above the limit with this payment',
      { kind: 'sum', by, currency: 'EUR', aboveMinor: 19_199, withinMs: HOUR_MS },
      facts(),
      true,
    ],
    [
      'sum: exactly the limit with this payment',
      { kind: 'sum', by, currency: 'EUR', aboveMinor: 19_200, withinMs: HOUR_MS },
      facts(),
      false,
    ],
    [
      'sum: a window that contains the oldest payment',
      { kind: 'sum', by, currency: 'EUR', aboveMinor: 24_199, withinMs: HOUR_MS + 1 },
      facts(),
      true,
    ],
    [
      'sum: a payment in a currency other than the rule’s',
      { kind: 'sum', by, currency: 'USD', aboveMinor: 1, withinMs: HOUR_MS },
      facts(),
      false,
    ],
    [
      'sum: a trait that was not sent',
      { kind: 'sum', by: 'customer.ip', currency: 'EUR', aboveMinor: 1, withinMs: HOUR_MS },
      facts(),
      false,
    ],

    [
      'countries: two countries',
      { kind: 'countries', of: ['billing', 'shipping'] },
      facts({ ...billing, 'shipping.country': 'fr' }),
      true,
    ],
    [
      'countries: one country in upper and lower case',
      { kind: 'countries', of: ['billing', 'shipping'] },
      facts({ ...billing, 'shipping.country': 'de' }),
      false,
    ],
    [
      'countries: one country that is unknown',
      { kind: 'countries', of: ['billing', 'shipping'] },
      facts(billing),
      false,
    ],
    [
      'countries: a different country of a source that the rule does not compare',
      { kind: 'countries', of: ['billing', 'merchant'] },
      facts({ ...billing, 'merchant.country': 'DE', 'shipping.country': 'FR' }),
      false,
    ],
    [
      'countries: a different country of the account',
      { kind: 'countries', of: [...countrySources] },
      facts({}, { countries: { billing: 'DE', shipping: 'DE', account: 'NL', merchant: undefined } }),
      true,
    ],

    ['list: a listed value', { kind: 'list', by: 'bin', values: new Set(['420000']) }, facts(), true],
    ['list: a value that is not listed', { kind: 'list', by: 'bin', values: new Set(['411111']) }, facts(), false],
    ['list: an empty list', { kind: 'list', by: 'bin', values: new Set() }, facts(), false],
    ['list: a trait that was not sent', { kind: 'list', by: 'customer.ip', values: new Set(['']) }, facts(), false],
    [
      'list: one of several countries',
      { kind: 'list', by: 'country', values: new Set(['kp']) },
      facts({ ...billing, 'shipping.country': 'KP' }),
      true,
    ],
    [
      'list: a custom parameter of the merchant',
      { kind: 'list', by: 'risk.parameters[tier]', values: new Set(['gold']) },
      facts({ 'risk.parameters[tier]': 'gold' }),
      true,
    ],

    ['orderAge: above the limit', { kind: 'orderAge', aboveMs: HOUR_MS }, facts({}, { orderedAtMs: 0 }), true],
    [
      'orderAge: exactly the limit',
      { kind: 'orderAge', aboveMs: HOUR_MS },
      facts({}, { orderedAtMs: NOW_MS - HOUR_MS }),
      false,
    ],
  ]

  it.each(cases.filter(([, , , hits]) => hits))('matches and adds its points: %s', (_name, when, subject) => {
    const assessment = assessRisk(rulesOf([{ name: 'rule', when, effect: 1 }]), subject)
    expect(assessment).toEqual({ score: 1, verdict: 'accept', hits: ['rule'] })
  })

  it.each(cases.filter(([, , , hits]) => !hits))('does not match: %s', (_name, when, subject) => {
    const assessment = assessRisk(rulesOf([{ name: 'rule', when, effect: 1 }]), subject)
    expect(assessment).toEqual({ score: 0, verdict: 'accept', hits: [] })
  })
})

/** Rules that always match, and rules that never match. */
const always = (effect: RiskRule['effect'], name = String(effect)): RiskRule => ({ name, when: amount(0), effect })
const never = (effect: RiskRule['effect']): RiskRule => ({ name: '', when: amount(limits.amountMinorMax), effect })

describe('a risk check ends', () => {
  it.each<[name: string, rules: readonly RiskRule[], score: number, verdict: RiskVerdict]>([
    ['accepted without rules', [], 0, 'accept'],
    ['accepted below the thresholds', [always(99)], 99, 'accept'],
    ['in review from the first threshold', [always(99), always(1)], 100, 'review'],
    ['rejected from the second threshold', [always(99), always(101)], 200, 'reject'],
    ['accepted if negative points lower the score below the thresholds', [always(250), always(-151)], 99, 'accept'],
    ['rejected by a rule at any score', [always('reject'), always(-500)], -500, 'reject'],
    ['rejected by a rule although another accepts', [always('accept'), always('reject')], 0, 'reject'],
    ['accepted by a rule at any score', [always('accept'), always(500)], 500, 'accept'],
    ['accepted by a rule although another reviews', [always('review'), always('accept')], 0, 'accept'],
    ['in review by a rule although the score rejects', [always('review'), always(500)], 500, 'review'],
    ['accepted if no rule matches', [never('reject'), never(500)], 0, 'accept'],
    ['with at most the highest score', [always(99_999), always(1)], 99_999, 'reject'],
    ['with at least the lowest score', [always(-99_999), always(-1)], -99_999, 'accept'],
  ])('%s', (_name, rules, score, verdict) => {
    expect(assessRisk(rulesOf(rules, 100, 200), facts())).toMatchObject({ score, verdict })
  })

  it('accepted without thresholds', () => {
    expect(assessRisk(rulesOf([always(99_999)]), facts()).verdict).toBe('accept')
  })

  it('with the names of the matching rules', () => {
    const rules = [always(1, 'one'), never('reject'), always('review', 'two')]
    expect(assessRisk(rulesOf(rules), facts()).hits).toEqual(['one', 'two'])
  })
})

describe('for any rules and payment', () => {
  const limitMinor = fc.constantFrom(0, 1, 5_000, 9_200, 30_000)
  const ms = fc.constantFrom(1, HOUR_MS, 2 * HOUR_MS)
  const counted = { by: fc.constantFrom(...countedTraits), withinMs: ms }
  const money = { currency: fc.constantFrom('EUR', 'USD'), aboveMinor: limitMinor } as const
  const when: fc.Arbitrary<RiskCondition> = fc.oneof(
    fc.record({ ...money, kind: fc.constant('amount') }),
    fc.record({ ...counted, kind: fc.constant('count'), above: fc.nat(4) }),
    fc.record({ ...counted, ...money, kind: fc.constant('sum') }),
    fc.record({ kind: fc.constant('countries'), of: fc.subarray([...countrySources]) }),
    fc.record({
      kind: fc.constant('list'),
      by: fc.constantFrom('bin', 'country'),
      values: fc.subarray(['420000', 'de', 'fr']).map((values) => new Set(values)),
    }),
    fc.record({ kind: fc.constant('orderAge'), aboveMs: ms }),
  )
  const effect: fc.Arbitrary<RiskRule['effect']> = fc.oneof(
    fc.integer({ min: -99_999, max: 99_999 }),
    fc.constantFrom<RiskVerdict>('accept', 'review', 'reject'),
  )
  const rule: fc.Arbitrary<RiskRule> = fc.record({ name: fc.string({ maxLength: 3 }), when, effect })
  const threshold = fc.option(fc.integer({ min: -99_999, max: 99_999 }), { nil: undefined })
  const riskRules: fc.Arbitrary<RiskRules> = fc.record({
    rules: fc.array(rule, { maxLength: 12 }),
    reviewFrom: threshold,
    rejectFrom: threshold,
  })
  const country = fc.constantFrom('DE', 'FR', 'XX')
  const payment = fc
    .record({ billing: country, shipping: country, ip: fc.option(fc.constant('::1')), orderedAtMs: fc.nat(NOW_MS) })
    .map(({ billing: from, shipping, ip, orderedAtMs }) =>
      facts(
        { 'billing.country': from, 'shipping.country': shipping, ...(ip !== null && { 'customer.ip': ip }) },
        { orderedAtMs },
      ),
    )

  it('the score is a whole number within its bounds', () => {
    fc.assert(
      fc.property(riskRules, payment, (rules, subject) => {
        const { score } = assessRisk(rules, subject)
        expect(Number.isInteger(score) && Math.abs(score) <= limits.riskScoreMax).toBe(true)
      }),
    )
  })

  it('the order of the rules makes no difference', () => {
    fc.assert(
      fc.property(riskRules, payment, (rules, subject) => {
        const reversed = { ...rules, rules: rules.rules.toReversed() }
        const reversedResult = assessRisk(reversed, subject)
        const inOrder = { ...reversedResult, hits: reversedResult.hits.toReversed() }
        expect(inOrder).toEqual(assessRisk(rules, subject))
      }),
    )
  })

  it('an additional rule that raises the score never makes the verdict less severe', () => {
    const severity: Readonly<Record<RiskVerdict, number>> = { accept: 0, review: 1, reject: 2 }
    const ordered = riskRules.map(({ rules, reviewFrom = 0, rejectFrom = 0 }) =>
      rulesOf(rules, Math.min(reviewFrom, rejectFrom), Math.max(reviewFrom, rejectFrom)),
    )
    fc.assert(
      fc.property(ordered, fc.nat(99_999), payment, (rules, points, subject) => {
        const before = assessRisk(rules, subject)
        const after = assessRisk({ ...rules, rules: [...rules.rules, always(points)] }, subject)
        expect(after.score).toBeGreaterThanOrEqual(before.score)
        expect(severity[after.verdict]).toBeGreaterThanOrEqual(severity[before.verdict])
      }),
    )
  })
})
