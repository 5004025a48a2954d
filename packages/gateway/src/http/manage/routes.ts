import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { brands, countries, currencies, isBrand, isCountry, isCurrency } from '@tollgate/contract'
import { parseAmount, routeMethods, testModes } from '@tollgate/domain'
import {
  createKeyedMutex,
  methodOfBrand,
  narrow,
  RoutesError,
  routeSet,
  type RouteSet,
  saveRoutes,
  testRoutesOf,
} from '@tollgate/operations'
import { type Static, Type } from 'typebox'
import type { Gateway } from '../../gateway.ts'
import { limits } from '../../limits.ts'
import { existingEntity } from './entities.ts'
import { ManageError } from './manage-error.ts'
import { ById, strictObject } from './schemas.ts'

const TestedPayment = strictObject({
  paymentBrand: Type.String({ enum: Object.keys(brands) }),
  amount: Type.Optional(Type.String({ pattern: '^[0-9]{1,10}(\\.[0-9]{2})?$' })),
  currency: Type.Optional(Type.String({ enum: Object.keys(currencies) })),
  country: Type.Optional(Type.String({ enum: Object.keys(countries) })),
  bin: Type.Optional(Type.String({ pattern: '^[0-9]{1,8}$' })),
  method: Type.Optional(Type.Enum([...routeMethods])),
  testMode: Type.Optional(Type.Enum([...testModes])),
})

/**
 * Shows, sets, removes and tests the routes of an entity. The nearest routes apply: those of the entity, or else of the
 * nearest entity above it that has routes.
 */
export function routeRoutes(gateway: Gateway): FastifyPluginAsyncTypebox {
  const { directory } = gateway
  const withLock = createKeyedMutex()

  const existingId = (id: string): string => existingEntity(gateway, id).id

  async function save(id: string, set: RouteSet | null): Promise<void> {
    try {
      await saveRoutes(gateway, id, set)
    } catch (error) {
      if (error instanceof RoutesError) throw new ManageError(400, `body/${error.message}`)
      throw error
    }
  }
  const change = (id: string, set: RouteSet | null) =>
    withLock(existingId(id), async () => {
      await save(id, set)
      return view(id)
    })
  /** The routes that apply to an entity, and the entity that sets them. */
  function view(id: string) {
    const { entityId = null, set } = directory.routes(id) ?? {}
    return { entityId: id, setFor: entityId, routes: set?.routes ?? null }
  }

  function test(id: string, payment: Static<typeof TestedPayment>) {
    const { entityId, setFor } = view(existingId(id))
    if (gateway.environment === 'live' && payment.testMode !== undefined)
      throw new ManageError(400, 'body/testMode must not be set in the live environment')
    return { entityId, setFor, ...testRoutesOf(gateway, id, subjectOf(payment)) }
  }

  return async (server) => {
    server.get('/routes', () => {
      const sets = directory.routeSets()
      const views = sets.slice(0, limits.listMax).map(({ entityId, set }) => ({ entityId, routes: set.routes }))
      return { routes: views, total: sets.length }
    })
    server.get('/entities/:id/routes', { schema: { params: ById } }, ({ params }) => view(existingId(params.id)))
    server.put('/entities/:id/routes', { schema: { params: ById, body: routeSet } }, ({ params, body }) =>
      change(params.id, body),
    )
    server.delete('/entities/:id/routes', { schema: { params: ById } }, ({ params }) => change(params.id, null))
    server.post('/entities/:id/routes/test', { schema: { params: ById, body: TestedPayment } }, ({ params, body }) =>
      test(params.id, body),
    )
  }
}

function subjectOf({ paymentBrand, amount, currency, country, bin, method, testMode }: Static<typeof TestedPayment>) {
  const brand = narrow(isBrand, paymentBrand)
  const code = narrow(isCurrency, currency)
  const usedMethod = method ?? methodOfBrand(brand)
  if (usedMethod === undefined) throw new ManageError(400, `body/method must be one of ${routeMethods.join(', ')}`)
  if (amount !== undefined && code === undefined) throw new ManageError(400, 'body/currency must be set with amount')
  const parsed = amount !== undefined && code !== undefined ? parseAmount(amount, code) : undefined
  if (parsed?.kind === 'refused') throw new ManageError(400, `body/amount: ${parsed.reason}`)
  return {
    brand,
    method: usedMethod,
    currency: code,
    amountMinor: parsed?.amountMinor,
    country: narrow(isCountry, country),
    bin,
    testMode,
  }
}
