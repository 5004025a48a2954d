import { invariant } from '../guard.ts'
import type { AcceptanceSettings } from './acceptance-settings.ts'

type DispatchSettings = Pick<AcceptanceSettings, 'enabled' | 'brands' | 'currencies'>

/**
 * The channel for a merchant's entityId: the first enabled one with the brand and currency; else the first enabled one,
 * else the first.
 */
export function dispatch<Channel extends { readonly settings: DispatchSettings }>(
  channels: readonly Channel[],
  brand: string | undefined,
  currency: string | undefined,
): Channel {
  const matches = ({ settings }: Channel) =>
    settings.enabled &&
    (brand === undefined || (settings.brands?.has(brand) ?? true)) &&
    (currency === undefined || (settings.currencies?.has(currency) ?? true))
  const channel = channels.find(matches) ?? channels.find(isEnabled) ?? channels[0]
  invariant(channel !== undefined, 'request has no channel')
  return channel
}

const isEnabled = ({ settings }: { readonly settings: DispatchSettings }): boolean => settings.enabled
