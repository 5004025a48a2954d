import { parametersOf } from '@tollgate/contract'
import type { RequestMark } from '../answer.ts'
import type { Channel } from '../directory/channel.ts'
import type { AccountOnFile } from '../parameters/account-on-file.ts'
import { type AccountRequest, onFileRequest } from '../parameters/account-request.ts'
import { planNameIn } from '../parameters/plan.ts'
import { systemHead } from '../system-head.ts'
import { isJobParameter, type PlanRecord } from '../records/plan-record.ts'

/** A charge of a plan. */
interface Charge {
  readonly planId: string
  readonly registrationId: string
  readonly record: PlanRecord
  /** The planned time of the run. */
  readonly runAtMs: number
}

/**
 * A charge of a plan as a request of its merchant: the parameters of the plan except `job.*` and `notificationUrl`, and
 * those of a payment under an agreement (domain notes, 6: "REPEATED/MIT/RECURRING and the stored network id"). Attempts
 * at one run share a merchantTransactionId.
 */
export function chargeRequest(
  mark: RequestMark,
  channel: Channel,
  { planId, registrationId, record, runAtMs }: Charge,
): AccountRequest<AccountOnFile> {
  const { parameters } = record
  // Many plans may have the same name: if each merchantTransactionId must be unique, it begins with the id of the plan.
  const isUnique = channel.settings.uniqueMerchantTransactionId
  const name = (isUnique ? undefined : planNameIn(parameters)) ?? planId
  const sent = parametersOf({
    ...Object.fromEntries(
      Object.entries(parameters).filter(([parameter]) => !isJobParameter(parameter) && parameter !== 'notificationUrl'),
    ),
    entityId: channel.id,
    merchantTransactionId: `${name}-${timestampOf(runAtMs)}`,
    'standingInstruction.type': 'RECURRING',
    'standingInstruction.mode': 'REPEATED',
    'standingInstruction.source': 'MIT',
  })
  return onFileRequest('payWithRegistration', systemHead(mark, channel, sent), registrationId)
}

/** yyyyMMddHHmmss in UTC, in which no hour occurs twice. */
const timestampOf = (atMs: number): string => new Date(atMs).toISOString().replaceAll(/\D/g, '').slice(0, 14)
