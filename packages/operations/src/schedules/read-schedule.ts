import { InvariantError, parametersOf } from '@tollgate/contract'
import { type Refused, refused, type Unknown } from '@tollgate/domain'
import type { ScheduleRow, Storage } from '@tollgate/storage'
import type { Answer } from '../answer.ts'
import type { Context } from '../context.ts'
import type { PathRequest } from '../requests.ts'
import { limits } from '../limits.ts'
import { visibilityOf } from '../directory/visibility.ts'
import { readMoney } from '../parameters/money.ts'
import { resultView } from '../records/outcome.ts'
import { withDecimals } from '../records/transaction-view.ts'
import { refusalAnswer } from '../refusal-answer.ts'
import { registrationSuccess } from '../records/registration-record.ts'
import { echoOfPlan, planRecord } from '../records/plan-record.ts'
import { planView } from './plan-view.ts'

const UNKNOWN_PLAN: Unknown = { kind: 'unknown', code: '700.400.580', reason: 'there is no such plan or registration' }
const OTHER_CHANNEL: Refused = refused('700.400.700', 'the registration or plan was made on another channel')

/**
 * Reads the current state of a plan by its id; or, by the id of a registration, all of its plans, oldest first and
 * ended ones included.
 */
export async function readSchedule(context: Context, request: PathRequest): Promise<Answer> {
  const { storage, render } = context
  const plan = await storage.schedule(request.id)
  const stored = plan ?? (await storage.registration(request.id))
  const visibility = stored ? visibilityOf(context, request, stored) : 'unknown'
  if (!stored || visibility === 'unknown') return refusalAnswer(context, request, UNKNOWN_PLAN)
  if (visibility === 'otherChannel') return refusalAnswer(context, request, OTHER_CHANNEL)
  const [root] = await storage.transactions([plan?.registration_id ?? request.id])
  if (!root) throw new InvariantError('registration has no transaction', stored.id)
  const code = registrationSuccess(root)
  const renderAnswer = (head: object, text: string, more: object): Answer => {
    const outcome = { result: resultView(code), resultDetails: { ExtendedDescription: text } }
    const body = render.body(head, request, JSON.stringify(outcome), JSON.stringify(more))
    return { status: 200, code, body }
  }
  if (plan) {
    const { plan: view, ...head } = await planEntry(storage, plan, request.atMs)
    const text = plan.active ? 'The charges are planned.' : 'The plan has ended.'
    return renderAnswer({ ...head, registrationId: plan.registration_id }, text, {
      plan: view,
      ...echoOfPlan(planRecord(plan)),
    })
  }
  const schedules: object[] = []
  for (const row of await storage.schedulesOf(request.id, limits.plansOfRegistrationMax)) {
    const { job } = echoOfPlan(planRecord(row))
    schedules.push({ ...(await planEntry(storage, row, request.atMs)), job })
  }
  return renderAnswer({ id: request.id }, 'The plans of the registration.', { schedules })
}

/** The fields of a plan, in its own answer and in lists. */
async function planEntry(storage: Storage, row: ScheduleRow, atMs: number) {
  const { text = '', currency } = readMoney(parametersOf(planRecord(row).parameters))
  const timer = row.attempts > 0 ? await storage.job(row.id) : undefined
  return {
    id: row.id,
    paymentType: row.id === row.chain_id ? 'SD' : 'RS',
    amount: withDecimals(text),
    currency,
    plan: planView(row, timer?.due_at_ms ?? null, atMs),
  }
}
