import { type Refused, refused } from '@tollgate/domain'
import type { JobRow, ScheduleRow, Storage, CompareAndSet } from '@tollgate/storage'
import type { Answer, RequestMark } from '../answer.ts'
import type { Channel } from '../directory/channel.ts'
import type { PendingUnit } from '../pending-unit.ts'
import type { Context } from '../context.ts'
import type { PlanRequest } from '../requests.ts'
import { scheduleTimer } from '../records/timers.ts'
import { limits } from '../limits.ts'
import { answerAbout } from '../records/transaction-view.ts'
import { refusalAnswer } from '../refusal-answer.ts'
import { testModeRefusal } from '../records/registration-record.ts'
import { changeOutcome, type RegistrationTree, registrationUnit } from '../records/registration-tree.ts'
import { chargeRequest } from './charge-request.ts'
import { foreseenRefusal } from './foreseen-refusal.ts'
import {
  amountOfPlan,
  echoOfPlan,
  endPlan,
  firstRunOf,
  planOfRecord,
  type PlanRecord,
  planChanges,
} from '../records/plan-record.ts'
import { planView } from './plan-view.ts'

/** A plan to create. */
interface PlanDraft {
  readonly type: 'SD' | 'RS'
  readonly tree: RegistrationTree
  readonly channel: Channel
  readonly record: PlanRecord
  /** The plan that the new plan replaces, with its timer. */
  readonly replaced?: { readonly row: ScheduleRow; readonly timer: JobRow }
  /** The ExtendedDescription of the answer. */
  readonly text: string
}

/** SD or RS: a transaction in the tree of the registration, the plan, and the timer of its first run. */
export async function newPlan(context: Context, request: PlanRequest, draft: PlanDraft): Promise<PendingUnit> {
  const { type, tree, channel, record, replaced, text } = draft
  const { registration } = tree
  const parsed = planOfRecord(record)
  if (parsed.kind === 'refused') return { answer: refusalAnswer(context, request, parsed) }
  const plan = JSON.stringify(record)
  if (plan.length > limits.planCharsMax) return { answer: tooLongAnswer(context, request) }
  // Sequenced ids keep the plans of a chain, and the jobs that are due at the same time, in the order of their
  // creation.
  const id = context.ids.sequenced()
  const refusal =
    testModeRefusal(request.reference, tree.root) ??
    (await planLimitRefusal(context.storage, registration.id, replaced?.row.chain_id)) ??
    (await foreseenRefusal(
      context,
      chargeRequest(request, channel, { planId: id, registrationId: registration.id, record, runAtMs: request.atMs }),
      channel,
      registration,
    ))
  if (refusal) return { answer: refusalAnswer(context, request, refusal) }

  const row: ScheduleRow = {
    id,
    merchant: tree.merchant,
    channel: channel.id,
    registration_id: registration.id,
    chain_id: replaced?.row.chain_id ?? id,
    plan,
    active: 1,
    last_run_at_ms: replaced?.row.last_run_at_ms ?? null,
    attempts: 0,
    attempted_at_ms: null,
    ends_at_ms: parsed.endsAtMs ?? null,
    descheduled_at_ms: null,
    ended: null,
    created_at_ms: request.atMs,
  }
  const dueAtMs = firstRunOf(row, parsed)
  if (dueAtMs === undefined) return { answer: refusalAnswer(context, request, NO_FURTHER_RUN) }

  const transaction = { id, type, echo: echoOfPlan(record), referencedId: replaced?.row.id, ...amountOfPlan(record) }
  const outcome = {
    ...changeOutcome(tree.root, text),
    plan: planView(row, dueAtMs, request.atMs),
  }
  const change = { kind: 'go' as const, registration, outcome, compareAndSets: endOfReplaced(replaced, request.atMs) }
  const unit = registrationUnit(request, tree, transaction, change)
  return {
    ...unit,
    answer: answerAbout(context, request, unit.transaction.row),
    rows: { ...unit.rows, schedule: [row], job: [scheduleTimer(row, dueAtMs)] },
  }
}

const NO_FURTHER_RUN = refused(
  '100.250.100',
  'the changed job has no run after the last run of the plan that it replaces: change its times or its end',
)

const endOfReplaced = (replaced: PlanDraft['replaced'], atMs: number): readonly CompareAndSet[] =>
  replaced ? planChanges(replaced.row, replaced.timer, endPlan(replaced.row, 'it was rescheduled', atMs)) : []

/** Refuses a plan above the maximum number of plans of a registration or of a chain, ended plans included. */
async function planLimitRefusal(
  storage: Storage,
  registrationId: string,
  chainId: string | undefined,
): Promise<Refused | undefined> {
  const { plansOfRegistrationMax, plansOfChainMax } = limits
  const plans = await storage.schedulesOf(registrationId, plansOfRegistrationMax)
  if (plans.length >= plansOfRegistrationMax)
    return refused('700.500.001', `a registration has ${plansOfRegistrationMax} plans at most, ended ones included`)
  if (plans.filter(({ chain_id }) => chain_id === chainId).length >= plansOfChainMax)
    return refused('700.500.001', `a plan can be rescheduled ${plansOfChainMax - 1} times at most: create a new plan`)
  return undefined
}

const tooLongAnswer = ({ render }: Context, mark: RequestMark): Answer =>
  render.refusal(400, '200.300.404', mark, { parameterErrors: [{ name: '', value: '', message: TOO_LONG }] })

const TOO_LONG =
  `the parameters of a plan must have at most ${limits.planCharsMax} characters together, because they are stored ` +
  'for every charge: send fewer or shorter parameters'
