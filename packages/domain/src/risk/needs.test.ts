import { expect, it } from 'vitest'
import { needsOf } from './needs.ts'
import type { RiskCondition } from './rules.ts'

const amount: RiskCondition = { kind: 'amount', currency: 'EUR', aboveMinor: 1 }
const counting = (by: 'customer.ip' | 'fingerprint', withinMs: number): RiskCondition => ({
  kind: 'count',
  by,
  above: 1,
  withinMs,
})
const summing: RiskCondition = { kind: 'sum', by: 'customer.ip', currency: 'EUR', aboveMinor: 1, withinMs: 5 }
const listing = (by: 'fingerprint' | 'bin'): RiskCondition => ({ kind: 'list', by, values: new Set() })

it.each<[what: string, conditions: readonly RiskCondition[], fingerprint: boolean, windowsMs: Record<string, number>]>([
  ['nothing', [], false, {}],
  ['nothing but the request', [amount, listing('bin')], false, {}],
  ['the fingerprint, for a list', [listing('fingerprint')], true, {}],
  ['the fingerprint, to count by', [counting('fingerprint', 7)], true, { fingerprint: 7 }],
  ['the longest time of each', [counting('customer.ip', 3), summing, amount], false, { 'customer.ip': 5 }],
  ['the longest time, in any order', [summing, counting('customer.ip', 3)], false, { 'customer.ip': 5 }],
])('rules that need %s', (_what, conditions, fingerprint, windowsMs) => {
  const rules = conditions.map((when) => ({ name: 'rule', when, effect: 1 }))
  const needs = needsOf(rules)
  expect({ ...needs, windowsMs: Object.fromEntries(needs.windowsMs) }).toEqual({ fingerprint, windowsMs })
})
