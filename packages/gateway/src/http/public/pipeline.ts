import { checkForm, type Form, knownName, withoutParameters } from '@tollgate/contract'
import {
  type Answer,
  areLegacy,
  type Caller,
  execute,
  type Refusal,
  refuse,
  requestOf,
  type RequestMark,
} from '@tollgate/operations'
import type { Gateway } from '../../gateway.ts'
import { httpClassOf } from '../../metrics/counts.ts'
import { claimOf } from './idempotency-claim.ts'
import { faults } from '../faults.ts'
import type { Route } from './routes.ts'

/** A decoded request and who sent it. */
export interface Incoming extends RequestMark {
  readonly caller: Caller
  readonly form: Form
  /** When it was there as a whole, by the clock of performance.now: before it waited for its turn. */
  readonly startedMs: number
  /** Path parameter `id`, '' where the path has none. */
  readonly id: string
  readonly idempotencyKey: string | string[] | undefined
}

/**
 * Takes a decoded request through what all operations share, in this order: entity, parameters, idempotency key, then
 * the operation itself. Writes the one log line that every request gets.
 */
export async function serve(gateway: Gateway, route: Route, sent: Incoming): Promise<Answer> {
  const incoming =
    sent.form.loginEntityId === undefined ? sent : withLoginEntity(gateway, sent, sent.form.loginEntityId)
  if (gateway.refreshDirectory && isUnheardOf(gateway, incoming)) await gateway.refreshDirectory()
  const answer = await answerTo(gateway, route, incoming)
  const ms = performance.now() - incoming.startedMs
  gateway.counts.requests.add(route.operation, httpClassOf(answer.status), answer.code)
  gateway.counts.requestTimes.add(route.operation, ms)
  gateway.log.info({
    requestId: incoming.requestId,
    entity: entityOf(gateway, incoming),
    operation: route.operation,
    code: answer.code,
    status: answer.status,
    ms: Math.round(ms * 100) / 100,
  })
  return answer
}

const isUnheardOf = ({ directory }: Gateway, { form }: Incoming): boolean => {
  const entityId = form.values.get('entityId')
  return entityId !== undefined && directory.entity(entityId) === undefined
}

/** "authentication.entityId in the body instead of entityId" (older clients), where all of its channels are legacy. */
function withLoginEntity({ directory }: Gateway, incoming: Incoming, entityId: string): Incoming {
  const { caller, form } = incoming
  const known = knownName(form.surface, 'entityId')
  if (!known || form.values.has(known.name) || !areLegacy(directory.channelsFor(caller, entityId))) return incoming
  const values = new Map([...form.values, [known.name, entityId]])
  return { ...incoming, form: { ...form, sent: [...form.sent, known], values } }
}

/** The entity that was named, if it is one (anything else is a value that was sent); otherwise the caller's. */
function entityOf({ directory }: Gateway, { form, caller }: Incoming): string {
  return directory.entity(form.values.get('entityId') ?? '')?.id ?? caller.entityId
}

// Not async: a promise that an async function returns is waited for three times over.
function answerTo(gateway: Gateway, route: Route, incoming: Incoming): Answer | Promise<Answer> {
  const { requestId, atMs, caller, form, id } = incoming
  const { directory, render, vault } = gateway
  const entityId = form.values.get('entityId')
  const channels = entityId === undefined ? [] : directory.channelsFor(caller, entityId)

  const isLegacy = channels.length > 0 ? areLegacy(channels) : isLegacyBelow(directory, caller, entityId)
  const wrong = checkForm(form, route.operation, { compatibility: isLegacy ? 'legacy' : 'strict' })
  // In the operation's own wording, if it has one. The wording may quote accepted parameters, never invalid ones.
  const refuseAs = (why: Refusal): Answer | Promise<Answer> => {
    const parameters = withoutParameters(form, new Set(wrong.map(({ name }) => name)))
    const named = parameters.values.get('entityId')
    const head = { requestId, atMs, caller, entityId: named, channels, parameters, claim: undefined }
    return refuse(gateway, route.operation, head, id, why)
  }
  if (entityId !== undefined && !wrong.some((one) => one.name === 'entityId')) {
    // An entity out of reach is answered like one that does not exist, in the general wording, which reveals nothing
    // about it.
    const { status, code } = faults.forbidden
    if (!directory.reaches(caller.entityId, entityId)) return render.refusal(status, code, incoming)
    // If an entity only qualifies a path (GET, DELETE), any entity above the resource is valid, and the operation
    // compares the two.
    if (route.method === 'POST' && channels.length === 0) return refuseAs(NOT_SPECIFIC)
  }
  if (wrong.length > 0) return refuseAs({ status: 400, code: '200.300.404', parameterErrors: wrong })

  const merchant = channels[0]?.merchant ?? directory.entity(caller.entityId)?.merchant ?? ''
  const { idempotencyKey } = incoming
  const scope = { entityId: entityId ?? caller.entityId, merchant }
  const claim =
    idempotencyKey === undefined
      ? undefined
      : claimOf(vault, idempotencyKey, scope, `${route.method} ${route.path} ${id}`, form)
  if (claim === 'invalid') return refuseAs(WRONG_KEY)

  // Written out here and by the makers of payments: a spread followed by more members costs microseconds on this path.
  const head = { requestId, atMs, caller, entityId, channels, parameters: form, claim }
  return execute(gateway, requestOf[route.operation](head, id))
}

/** Without a channel (reads, shoppers) the request is about all that the entity, or else the caller, reaches. */
function isLegacyBelow(directory: Gateway['directory'], caller: Caller, entityId = caller.entityId): boolean {
  return directory.reaches(caller.entityId, entityId) && directory.termsOf(entityId).isLegacy
}

/** A psp, division or merchant without dispatching was named where a channel must be. */
const NOT_SPECIFIC: Refusal = { status: 400, code: '200.300.407' }

const WRONG_KEY: Refusal = {
  status: 400,
  code: '200.300.404',
  parameterErrors: [{ name: 'Idempotency-Key', value: '', message: 'must be 1 to 255 printable characters' }],
}
