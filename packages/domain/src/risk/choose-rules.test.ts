import { expect, it } from 'vitest'
import { chooseRules } from './choose-rules.ts'
import type { RiskOverride, RiskRules } from './rules.ts'

const rules = (rejectFrom: number): RiskRules => ({ rules: [], reviewFrom: undefined, rejectFrom })
const override = (channelId: string | undefined, serviceId: string | undefined, rejectFrom: number): RiskOverride => ({
  ...rules(rejectFrom),
  channelId,
  serviceId,
})

const overrides = [
  override('TEASHOP00EU1', 'B', 1),
  override('TEASHOP00EU1', undefined, 2),
  override(undefined, 'D', 3),
  override('TEASHOP00EU1', undefined, 4),
]

it.each<[channelId: string | undefined, serviceId: string | undefined, chosen: number | string]>([
  [undefined, undefined, 0],
  ['TEASHOP00EU1', undefined, 2],
  ['TEASHOP00EU1', 'B', 1],
  ['TEASHOP00EU1', 'D', 2],
  [undefined, 'D', 3],
  [undefined, 'B', 0],
  ['teashop00eu1', undefined, 'risk.channelId must be an id for which the channel has risk rules'],
  ['', 'B', 'risk.channelId must be an id for which the channel has risk rules'],
  ['TEASHOP00EU1', 'X', 'risk.serviceId must be an id for which the channel has risk rules'],
])('risk channel %s and service %s choose: %s', (channelId, serviceId, expected) => {
  const chosen = chooseRules({ configured: rules(0), overrides }, { channelId, serviceId })
  expect('code' in chosen ? chosen.reason : chosen.rejectFrom).toBe(expected)
})

it('without overrides the configured rules apply, whichever ids are sent', () => {
  const configured = rules(0)
  expect(chooseRules({ configured, overrides: [] }, { channelId: 'x', serviceId: 'y' })).toBe(configured)
})
