import { type Refused, refused } from '../guard.ts'
import type { RiskRuleChoice, RiskRules } from './rules.ts'

/** Ids that a payment names: `risk.channelId` and `risk.serviceId`. */
export interface RiskIds {
  readonly channelId: string | undefined
  readonly serviceId: string | undefined
}

/**
 * The rules for a payment. "risk.channelId: dynamic override of the configured risk channel. risk.serviceId:
 * dynamic override of the risk service": the first override all of whose ids the payment names, else the configured
 * rules.
 *
 * @returns refused (200.300.404) if the payment names an id that no override has: other rules than the requested ones
 *   would apply
 */
export function chooseRules({ configured, overrides }: RiskRuleChoice, named: RiskIds): RiskRules | Refused {
  for (const name of ['channelId', 'serviceId'] as const) {
    const known = overrides.map((override) => override[name]).filter((id) => id !== undefined)
    const id = named[name]
    if (id !== undefined && known.length > 0 && !known.includes(id)) {
      const message = 'must be an id for which the channel has risk rules'
      return refused('200.300.404', `risk.${name} ${message}`, [{ name: `risk.${name}`, value: id, message }])
    }
  }
  const matches = (own: string | undefined, sent: string | undefined): boolean => own === undefined || own === sent
  const chosen = overrides.find(
    ({ channelId, serviceId }) => matches(channelId, named.channelId) && matches(serviceId, named.serviceId),
  )
  return chosen ?? configured
}
