import type { Gateway } from '../gateway.ts'
import { limits } from '../limits.ts'
import { expireRegistration } from '../payments/expire-registration.ts'
import type { Work } from './workers.ts'

/** The work that erases registrations when their time has run out. */
export const expiringRegistrations = (gateway: Gateway): Work => ({
  name: 'registrations',
  everyMs: limits.expiryEveryMs,
  pauseMs: limits.retentionPauseMs,
  step: async () => ((await expireRegistrations(gateway)) ? 'more' : 'done'),
})

/**
 * Erases what is stored of registrations whose time has run out, a page of them, longest ago first.
 *
 * @returns whether there may be more
 */
export async function expireRegistrations(gateway: Gateway): Promise<boolean> {
  const atMs = gateway.clock.now()
  const due = await gateway.storage.expiredRegistrations(atMs, limits.expiryPageRows)
  for (const { id } of due) await expireRegistration(gateway, id, atMs)
  return due.length === limits.expiryPageRows
}
