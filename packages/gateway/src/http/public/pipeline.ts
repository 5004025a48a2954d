import { checkForm, type Form, findParameter, withoutParameters } from '@tollgate/contract'
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

/** A decoded request with its caller. */
export interface DecodedRequest extends RequestMark {
  readonly caller: Caller
  readonly form: Form
  /** Time at which the request was received completely, before it waited in the queue, by `performance.now`. */
  readonly startedMs: number
  /** The path parameter `id`; '' if the path has none. */
  readonly id: string
  readonly idempotencyKey: string | string[] | undefined
}

/**
 * Processes a decoded request: checks the entity, the parameters and the idempotency key, in this order, then executes
 * the operation. The function is not async, because an async function needs three microtasks to return a promise.
 *
 * @param incoming the result of `withLoginEntity`
 */
export function answerTo(gateway: Gateway, route: Route, incoming: DecodedRequest): Answer | Promise<Answer> {
  const { refreshDirectory } = gateway
  if (!refreshDirectory || !hasUnknownEntity(gateway, incoming)) return checkAndExecute(gateway, route, incoming)
  return refreshDirectory().then(() => checkAndExecute(gateway, route, incoming))
}

/** Counts an answered request, and writes its log line. */
export function recordAnswer(gateway: Gateway, route: Route, incoming: DecodedRequest, answer: Answer): void {
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
}

const hasUnknownEntity = ({ directory }: Gateway, { form }: DecodedRequest): boolean => {
  const entityId = form.values.get('entityId')
  return entityId !== undefined && directory.entity(entityId) === undefined
}

/** Accepts "authentication.entityId in the body instead of entityId" if all channels of this entity are legacy. */
export function withLoginEntity({ directory }: Gateway, incoming: DecodedRequest): DecodedRequest {
  const { caller, form } = incoming
  const { loginEntityId: entityId } = form
  if (entityId === undefined) return incoming
  const parameter = findParameter(form.surface, 'entityId')
  if (!parameter || form.values.has(parameter.name) || !areLegacy(directory.channelsFor(caller, entityId)))
    return incoming
  const values = new Map([...form.values, [parameter.name, entityId]])
  return { ...incoming, form: { ...form, sent: [...form.sent, parameter], values } }
}

/** The entity for the log: that of the request if it exists, otherwise the caller's. Unknown ids are not logged. */
function entityOf({ directory }: Gateway, { form, caller }: DecodedRequest): string {
  return directory.entity(form.values.get('entityId') ?? '')?.id ?? caller.entityId
}

function checkAndExecute(gateway: Gateway, route: Route, incoming: DecodedRequest): Answer | Promise<Answer> {
  const { requestId, atMs, caller, form, id, whileWaiting } = incoming
  const { directory, render, vault } = gateway
  const entityId = form.values.get('entityId')
  const channels = entityId === undefined ? [] : directory.channelsFor(caller, entityId)

  const isLegacy = channels.length > 0 ? areLegacy(channels) : isLegacyWithoutChannel(directory, caller, entityId)
  const errors = checkForm(form, route.operation, { compatibility: isLegacy ? 'legacy' : 'strict' })
  // Refuses the request in the wording of the operation, if it has one. The wording may quote only valid parameters.
  const refuseAs = (refusal: Refusal): Answer | Promise<Answer> => {
    const parameters = withoutParameters(form, new Set(errors.map(({ name }) => name)))
    const validEntityId = parameters.values.get('entityId')
    const head = { requestId, atMs, caller, entityId: validEntityId, channels, parameters, claim: undefined }
    return refuse(gateway, route.operation, head, id, refusal)
  }
  if (entityId !== undefined && !errors.some(({ name }) => name === 'entityId')) {
    // An entity that the caller does not reach is answered like an unknown entity, in the general wording, which
    // reveals nothing about the entity.
    const { status, code } = faults.forbidden
    const isReached = channels.length > 0 || directory.reaches(caller.entityId, entityId)
    if (!isReached) return render.refusal(status, code, incoming)
    // If the entity only qualifies a path (GET, DELETE), any entity above the resource is valid, and the operation
    // compares it with the resource.
    if (route.method === 'POST' && channels.length === 0) return refuseAs(NOT_SPECIFIC)
  }
  if (errors.length > 0) return refuseAs({ status: 400, code: '200.300.404', parameterErrors: errors })

  const merchant = channels[0]?.merchant ?? directory.entity(caller.entityId)?.merchant ?? ''
  const { idempotencyKey } = incoming
  const scope = { entityId: entityId ?? caller.entityId, merchant }
  const claim =
    idempotencyKey === undefined
      ? undefined
      : claimOf(vault, idempotencyKey, scope, `${route.method} ${route.path} ${id}`, form)
  if (claim === 'invalid') return refuseAs(WRONG_KEY)

  // The members are written out here and where payments are made, because a spread before further members costs
  // microseconds on this path.
  const head = { requestId, atMs, caller, entityId, channels, parameters: form, claim, whileWaiting }
  return execute(gateway, requestOf[route.operation](head, id))
}

/** Whether a request without a channel (a read, a shopper's request) is legacy, by its entity or else by its caller. */
function isLegacyWithoutChannel(directory: Gateway['directory'], caller: Caller, entityId = caller.entityId): boolean {
  return directory.reaches(caller.entityId, entityId) && directory.tenantSettingsOf(entityId).isLegacy
}

/** The entity of the request is a psp, division or merchant without dispatching instead of a channel. */
const NOT_SPECIFIC: Refusal = { status: 400, code: '200.300.407' }

const WRONG_KEY: Refusal = {
  status: 400,
  code: '200.300.404',
  parameterErrors: [{ name: 'Idempotency-Key', value: '', message: 'must be 1 to 255 printable characters' }],
}
