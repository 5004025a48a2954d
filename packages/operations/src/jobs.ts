import { timeoutReversals } from './acquirer/timeout-reversal.job.ts'
import type { DeliveryContext } from './webhooks/delivery-context.ts'
import { endAuthorisations } from './payments/end-authorisation.job.ts'
import { deliveries } from './webhooks/deliver.job.ts'
import { notifications } from './webhooks/notify.job.ts'
import { endRegistrations } from './registrations/end-registration.job.ts'
import type { JobKind } from './job.ts'
import { safetyCalls } from './checkouts/safety-call.job.ts'
import { pollSessions } from './redirects/poll-sessions.job.ts'
import { deliverFiles } from './sftp/deliver-file.job.ts'
import { pullFiles } from './sftp/pull-files.job.ts'
import type { SftpContext } from './sftp/sftp-context.ts'
import { runSchedules } from './schedules/run-schedule.job.ts'

/**
 * All kinds of jobs. A fast-forward runs jobs that are due in the same millisecond in the order of their kinds in this
 * list.
 */
export const jobKinds = (context: DeliveryContext & SftpContext): readonly JobKind[] => [
  timeoutReversals(context),
  pollSessions(context),
  endAuthorisations(context),
  runSchedules(context),
  endRegistrations(context),
  deliveries(context),
  notifications(context),
  safetyCalls(context),
  deliverFiles(context),
  pullFiles(context),
]
