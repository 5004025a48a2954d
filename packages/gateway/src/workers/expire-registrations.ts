import type { Gateway } from '../gateway.ts'
import { limits } from '../limits.ts'
import { expireRegistration } from '../payments/registrations/expire-registration.ts'
import type { Work } from './workers.ts'

/** Ends the registrations whose time has run out, longest ago first, and erases what they store. */
export const expireRegistrations = (gateway: Gateway): Work => ({
  name: 'registrations',
  everyMs: limits.expiryEveryMs,
  pauseMs: limits.expiryPauseMs,
  async step() {
    const atMs = gateway.clock.now()
    const due = await gateway.storage.expiredRegistrations(atMs, limits.expiryPageRows)
    for (const { id } of due) await expireRegistration(gateway, id, atMs)
    return due.length === limits.expiryPageRows ? 'more' : 'done'
  },
})
