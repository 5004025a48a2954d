import { type Refused, refused } from '../guard.ts'
import type { RiskRuleChoice, RiskRules } from './rules.ts'

/** Ids that are sent with a payment: `risk.channelId` and `risk.serviceId`. */
export interface RiskIds {
  readonly channelId: string | undefined
  readonly serviceId: string | undefined
}

/**
 * The rules for a payment. "risk.channelId: dynamic override of the configured risk channel. risk.serviceId: dynamic
 * override of the risk service": the first override whose ids are all sent with the payment, else the configured rules.
 *
 * @returns refused (200.300.404) if some overrides have an id of the same kind, but none has the sent id: rules other
 *   than the requested ones would apply
 */
export function chooseRules({ configured, overrides }: RiskRuleChoice, ids: RiskIds): RiskRules | Refused {
  for (const name of ['channelId', 'serviceId'] as const) {
    const knownIds = overrides.map((override) => override[name]).filter((id) => id !== undefined)
    const id = ids[name]
    if (id !== undefined && knownIds.length > 0 && !knownIds.includes(id)) {
      const message = 'must be an id for which the channel has risk rules'
      return refused('200.300.404', `risk.${name} ${message}`, [{ name: `risk.${name}`, value: id, message }])
    }
  }
  const matches = (required: string | undefined, sent: string | undefined): boolean =>
    required === undefined || required === sent
  const chosen = overrides.find(
    ({ channelId, serviceId }) => matches(channelId, ids.channelId) && matches(serviceId, ids.serviceId),
  )
  return chosen ?? configured
}
