import { endAttempts } from '../acquirer/end-attempts.ts'
import type { DeliveryContext } from '../operations/webhooks/delivery-context.ts'
import { endAuthorisations } from './end-authorisation.ts'
import { deliveries } from '../webhooks/deliver.ts'
import { notifications } from '../webhooks/notify.ts'
import { endRegistrations } from './end-registration.ts'
import type { JobKind } from './job-kind.ts'
import { safetyCalls } from './safety-call.ts'
import { followVisits } from './follow-visit.ts'
import { runSchedules } from './run-schedule.ts'

/** Everything that is done at its time. Of what falls due in the same millisecond, the kinds above come first. */
export const jobKinds = (gateway: DeliveryContext): readonly JobKind[] => [
  endAttempts(gateway),
  followVisits(gateway),
  endAuthorisations(gateway),
  runSchedules(gateway),
  endRegistrations(gateway),
  deliveries(gateway),
  notifications(gateway),
  safetyCalls(gateway),
]
