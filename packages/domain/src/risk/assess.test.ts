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

/** A payment of 92.00 EUR by Jane, who has paid 100.00 and 50.00 EUR in the hour before, and 70.00 USD. */
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
  it.each<[what: string, when: RiskCondition, facts: RiskFacts, hits: boolean]>([
    ['amount: above it', amount(9_199), facts(), true],
    ['amount: exactly it', amount(9_200), facts(), false],
    ['amount: another currency', amount(1), facts({}, { currency: 'USD' }), false],

    ['count: this one is the third', { kind: 'count', by, above: 2, withinMs: HOUR_MS }, facts(), true],
    ['count: three are allowed', { kind: 'count', by, above: 3, withinMs: HOUR_MS }, facts(), false],
    ['count: the window begins after', { kind: 'count', by, above: 3, withinMs: HOUR_MS + 1 }, facts(), true],
    [
      'count: the first one, where one is too many',
      { kind: 'count', by, above: 0, withinMs: HOUR_MS },
      facts({}, { earlier: new Map() }),
      true,
    ],
    ['count: of what was not sent', { kind: 'count', by: 'customer.ip', above: 0, withinMs: HOUR_MS }, facts(), false],

    [
      'sum: with this one above it',
      { kind: 'sum', by, currency: 'EUR', aboveMinor: 19_199, withinMs: HOUR_MS },
      facts(),
      true,
    ],
    [
      'sum: with this one exactly it',
      { kind: 'sum', by, currency: 'EUR', aboveMinor: 19_200, withinMs: HOUR_MS },
      facts(),
      false,
    ],
    [
      'sum: the window begins after',
      { kind: 'sum', by, currency: 'EUR', aboveMinor: 24_199, withinMs: HOUR_MS + 1 },
      facts(),
      true,
    ],
    [
      'sum: this one is in another currency',
      { kind: 'sum', by, currency: 'USD', aboveMinor: 1, withinMs: HOUR_MS },
      facts(),
      false,
    ],
    [
      'sum: of what was not sent',
      { kind: 'sum', by: 'customer.ip', currency: 'EUR', aboveMinor: 1, withinMs: HOUR_MS },
      facts(),
      false,
    ],

    [
      'countries: two',
      { kind: 'countries', of: ['billing', 'shipping'] },
      facts({ ...billing, 'shipping.country': 'fr' }),
      true,
    ],
    [
      'countries: one, whatever its letters',
      { kind: 'countries', of: ['billing', 'shipping'] },
      facts({ ...billing, 'shipping.country': 'de' }),
      false,
    ],
    ['countries: one is not known', { kind: 'countries', of: ['billing', 'shipping'] }, facts(billing), false],
    [
      'countries: the one that differs is not asked for',
      { kind: 'countries', of: ['billing', 'merchant'] },
      facts({ ...billing, 'merchant.country': 'DE', 'shipping.country': 'FR' }),
      false,
    ],
    [
      'countries: of the account',
      { kind: 'countries', of: [...countrySources] },
      facts({}, { countries: { billing: 'DE', shipping: 'DE', account: 'NL', merchant: undefined } }),
      true,
    ],

    ['list: on it', { kind: 'list', by: 'bin', values: new Set(['420000']) }, facts(), true],
    ['list: not on it', { kind: 'list', by: 'bin', values: new Set(['411111']) }, facts(), false],
    ['list: empty', { kind: 'list', by: 'bin', values: new Set() }, facts(), false],
    ['list: of what was not sent', { kind: 'list', by: 'customer.ip', values: new Set(['']) }, facts(), false],
    [
      'list: any of the countries',
      { kind: 'list', by: 'country', values: new Set(['kp']) },
      facts({ ...billing, 'shipping.country': 'KP' }),
      true,
    ],
    [
      'list: a parameter of the merchant’s own',
      { kind: 'list', by: 'risk.parameters[tier]', values: new Set(['gold']) },
      facts({ 'risk.parameters[tier]': 'gold' }),
      true,
    ],

    ['orderAge: older', { kind: 'orderAge', aboveMs: HOUR_MS }, facts({}, { orderedAtMs: 0 }), true],
    [
      'orderAge: exactly so old',
      { kind: 'orderAge', aboveMs: HOUR_MS },
      facts({}, { orderedAtMs: NOW_MS - HOUR_MS }),
      false,
    ],
  ])('%s', (_what, when, about, hits) => {
    expect(assessRisk(rulesOf([{ name: 'rule', when, effect: 1 }]), about)).toEqual({
      score: hits ? 1 : 0,
      verdict: 'accept',
      hits: hits ? ['rule'] : [],
    })
  })
})

/** A rule that hits, or does not. */
const always = (effect: RiskRule['effect'], name = String(effect)): RiskRule => ({ name, when: amount(0), effect })
const never = (effect: RiskRule['effect']): RiskRule => ({ name: '', when: amount(limits.amountMinorMax), effect })

describe('a check ends', () => {
  it.each<[what: string, rules: readonly RiskRule[], score: number, verdict: RiskVerdict]>([
    ['well without rules', [], 0, 'accept'],
    ['well below the thresholds', [always(99)], 99, 'accept'],
    ['in review from the first', [always(99), always(1)], 100, 'review'],
    ['in rejection from the second', [always(99), always(101)], 200, 'reject'],
    ['well where trust outweighs suspicion', [always(250), always(-151)], 99, 'accept'],
    ['in rejection where a rule says so, whatever the score', [always('reject'), always(-500)], -500, 'reject'],
    ['in rejection even where another accepts', [always('accept'), always('reject')], 0, 'reject'],
    ['well where a rule accepts, whatever the score', [always('accept'), always(500)], 500, 'accept'],
    ['well where a rule accepts and another reviews', [always('review'), always('accept')], 0, 'accept'],
    ['in review where a rule says so, even of what the score rejects', [always('review'), always(500)], 500, 'review'],
    ['without regard to what does not hit', [never('reject'), never(500)], 0, 'accept'],
    ['at the highest score', [always(99_999), always(1)], 99_999, 'reject'],
    ['at the lowest score', [always(-99_999), always(-1)], -99_999, 'accept'],
  ])('%s', (_what, rules, score, verdict) => {
    expect(assessRisk(rulesOf(rules, 100, 200), facts())).toMatchObject({ score, verdict })
  })

  it('well where there are no thresholds', () => {
    expect(assessRisk(rulesOf([always(99_999)]), facts()).verdict).toBe('accept')
  })

  it('with the names of the rules that spoke', () => {
    const rules = [always(1, 'one'), never('reject'), always('review', 'two')]
    expect(assessRisk(rulesOf(rules), facts()).hits).toEqual(['one', 'two'])
  })
})

describe('for any rules and payment', () => {
  const few = fc.constantFrom(0, 1, 5_000, 9_200, 30_000)
  const ms = fc.constantFrom(1, HOUR_MS, 2 * HOUR_MS)
  const counted = { by: fc.constantFrom(...countedTraits), withinMs: ms }
  const money = { currency: fc.constantFrom('EUR', 'USD'), aboveMinor: few } as const
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
  const set: fc.Arbitrary<RiskRules> = fc.record({
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

  it('the score is within its bounds, and whole', () => {
    fc.assert(
      fc.property(set, payment, (rules, about) => {
        const { score } = assessRisk(rules, about)
        expect(Number.isInteger(score) && Math.abs(score) <= limits.riskScoreMax).toBe(true)
      }),
    )
  })

  it('the order of the rules makes no difference', () => {
    fc.assert(
      fc.property(set, payment, (rules, about) => {
        const turned = { ...rules, rules: rules.rules.toReversed() }
        const { hits, ...found } = assessRisk(rules, about)
        const other = assessRisk(turned, about)
        expect({ ...other, hits: other.hits.toReversed() }).toEqual({ ...found, hits })
      }),
    )
  })

  it('an additional rule that raises the score never lowers the outcome', () => {
    const severity: Readonly<Record<RiskVerdict, number>> = { accept: 0, review: 1, reject: 2 }
    const ordered = set.map(({ rules, reviewFrom = 0, rejectFrom = 0 }) =>
      rulesOf(rules, Math.min(reviewFrom, rejectFrom), Math.max(reviewFrom, rejectFrom)),
    )
    fc.assert(
      fc.property(ordered, fc.nat(99_999), payment, (rules, more, about) => {
        const before = assessRisk(rules, about)
        const after = assessRisk({ ...rules, rules: [...rules.rules, always(more)] }, about)
        expect(after.score).toBeGreaterThanOrEqual(before.score)
        expect(severity[after.verdict]).toBeGreaterThanOrEqual(severity[before.verdict])
      }),
    )
  })
})
