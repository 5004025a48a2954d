import { expect, it } from 'vitest'
import { needsOf } from './needs.ts'
import type { RiskCondition } from './rules.ts'

const amount: RiskCondition = { kind: 'amount', currency: 'EUR', aboveMinor: 1 }
const countCondition = (by: 'customer.ip' | 'fingerprint', withinMs: number): RiskCondition => ({
  kind: 'count',
  by,
  above: 1,
  withinMs,
})
const sumCondition: RiskCondition = { kind: 'sum', by: 'customer.ip', currency: 'EUR', aboveMinor: 1, withinMs: 5 }
const listCondition = (by: 'fingerprint' | 'bin'): RiskCondition => ({ kind: 'list', by, values: new Set() })

it.each<[name: string, conditions: readonly RiskCondition[], fingerprint: boolean, windowsMs: Record<string, number>]>([
  ['nothing', [], false, {}],
  ['nothing but the request', [amount, listCondition('bin')], false, {}],
  ['the fingerprint, for a list', [listCondition('fingerprint')], true, {}],
  ['the fingerprint, to count by', [countCondition('fingerprint', 7)], true, { fingerprint: 7 }],
  [
    'the longest period of a trait',
    [countCondition('customer.ip', 3), sumCondition, amount],
    false,
    { 'customer.ip': 5 },
  ],
  [
    'the longest period, in any order of the rules',
    [sumCondition, countCondition('customer.ip', 3)],
    false,
    { 'customer.ip': 5 },
  ],
])('rules need %s', (_name, conditions, fingerprint, windowsMs) => {
  const rules = conditions.map((when) => ({ name: 'rule', when, effect: 1 }))
  const needs = needsOf(rules)
  expect({ ...needs, windowsMs: Object.fromEntries(needs.windowsMs) }).toEqual({ fingerprint, windowsMs })
})
