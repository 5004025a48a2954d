import { InvariantError } from '@tollgate/contract'
import type { Channel } from './channel.ts'

/** Of the channels that a merchant's entityId stands for, the first enabled one that takes the brand and currency. */
export function dispatch(
  channels: readonly Channel[],
  brand: string | undefined,
  currency: string | undefined,
): Channel {
  const isEnabled = ({ settings }: Channel) => settings.enabled
  const fits = ({ settings }: Channel) =>
    settings.enabled &&
    (brand === undefined || (settings.brands?.has(brand) ?? true)) &&
    (currency === undefined || (settings.currencies?.has(currency) ?? true))
  const channel = channels.find(fits) ?? channels.find(isEnabled) ?? channels[0]
  if (!channel) throw new InvariantError('request has no channel')
  return channel
}
