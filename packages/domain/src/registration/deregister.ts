import { firstFailure, type Refused, type Unknown, unknown } from '../guard.ts'
import { standing } from './guards.ts'
import type { Registration } from './registration.ts'

/**
 * DR: the registration ends, and its account data is to be shredded.
 *
 * @param registration undefined where there is none, or none that the caller may see
 * @param channel entity id of the channel that took the request
 * @returns the registration as it is from now on; refused (HTTP 400); unknown (HTTP 404)
 */
export function deregister(
  registration: Registration | undefined,
  channel: string,
  atMs: number,
): { readonly kind: 'go'; readonly registration: Registration } | Refused | Unknown {
  if (!registration) return unknown('100.350.303', 'there is no such registration')
  return (
    firstFailure(standing, { registration, channel }) ?? {
      kind: 'go',
      registration: { ...registration, state: 'DELETED', deletedAtMs: atMs },
    }
  )
}
