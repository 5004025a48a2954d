import { brands, countries, currencies, isBrand, isCountry, isCurrency } from '@tollgate/contract'
import {
  type BinRange,
  limits as domainLimits,
  parseAmount,
  type Route,
  type RouteConditions,
  routeMethods,
  targetOrders,
  testModes,
} from '@tollgate/domain'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { limits } from '../limits.ts'
import { narrow } from '../narrow.ts'

/** Invalid routes. The message contains the path of the error and a valid form, but no value. */
export class RoutesError extends Error {}

const CLOSED = { additionalProperties: false }

const codesOf = (table: object) =>
  Type.Optional(
    Type.Array(Type.String({ enum: Object.keys(table) }), {
      minItems: 1,
      maxItems: Object.keys(table).length,
      uniqueItems: true,
    }),
  )
const namesOf = <Name extends string>(names: readonly Name[]) =>
  Type.Optional(Type.Array(Type.Enum([...names]), { minItems: 1, maxItems: names.length, uniqueItems: true }))

/** The format of amounts in the public API. */
const Amount = Type.Optional(Type.String({ pattern: '^[0-9]{1,10}(\\.[0-9]{2})?$' }))
const Digits = Type.String({ pattern: '^[0-9]{1,8}$' })

/** The name of a connector: it is part of ids, of log lines and of paths. */
export const ConnectorName = Type.String({ pattern: '^[a-z][a-z0-9-]{0,31}$' })

const when = Type.Object(
  {
    methods: namesOf(routeMethods),
    brands: codesOf(brands),
    currencies: codesOf(currencies),
    countries: codesOf(countries),
    bins: Type.Optional(
      Type.Array(Type.Object({ from: Digits, to: Digits }, CLOSED), { minItems: 1, maxItems: limits.routeBinsMax }),
    ),
    amount: Type.Optional(
      Type.Object({ currency: Type.String({ enum: Object.keys(currencies) }), from: Amount, to: Amount }, CLOSED),
    ),
    testModes: namesOf(testModes),
  },
  CLOSED,
)

const route = Type.Object(
  {
    name: Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9 _.-]*$', maxLength: limits.routeNameCharsMax }),
    when: Type.Optional(when),
    order: Type.Optional(Type.Enum([...targetOrders])),
    targets: Type.Array(
      Type.Object(
        {
          connector: ConnectorName,
          weight: Type.Optional(Type.Integer({ minimum: 0, maximum: limits.routeWeightMax })),
        },
        CLOSED,
      ),
      { minItems: 1, maxItems: limits.routeTargetsMax },
    ),
  },
  CLOSED,
)

/** The routes of an entity, as the management API accepts them. */
export const routeSet = Type.Object({ routes: Type.Array(route, { maxItems: limits.routesMax }) }, CLOSED)

export type RouteSet = Static<typeof routeSet>
type SentRoute = Static<typeof route>
type SentConditions = Static<typeof when>

/** The routes that apply to an entity, and the entity that sets them: the entity itself, or one above. */
export interface EffectiveRoutes {
  readonly entityId: string
  readonly set: RouteSet
}

/**
 * Validates routes and prepares them for evaluation.
 *
 * @throws RoutesError with the path of the invalid member and the requirement that it violates
 */
export function prepareRoutes({ routes }: RouteSet): readonly Route[] {
  refuseRepeated(
    routes,
    ({ name }) => name,
    (index) => `routes/${index}/name must not be that of another route`,
  )
  return routes.map((sent, index) => routeOf(sent, `routes/${index}`))
}

function routeOf({ name, when: conditions = {}, order = 'listed', targets }: SentRoute, path: string): Route {
  refuseRepeated(
    targets,
    ({ connector }) => connector,
    (index) => `${path}/targets/${index}/connector must not be that of another target`,
  )
  const weighted = targets.findIndex(({ weight }) => weight !== undefined)
  if (order !== 'weight' && weighted >= 0) {
    throw new RoutesError(`${path}/targets/${weighted}/weight must not be set, unless the order is weight`)
  }
  if (targets.every(({ weight }) => weight === 0)) {
    throw new RoutesError(`${path}/targets must contain a weight above 0`)
  }
  return {
    name,
    when: conditionsOf(conditions, `${path}/when`),
    order,
    targets: targets.map(({ connector, weight = 1 }) => ({ connector, weight })),
  }
}

function conditionsOf(sent: SentConditions, path: string): RouteConditions {
  const { methods, amount, bins } = sent
  return {
    methods: methods && new Set(methods),
    brands: codesIn(sent.brands, isBrand),
    currencies: codesIn(sent.currencies, isCurrency),
    countries: codesIn(sent.countries, isCountry),
    bins: bins?.map((range, index) => checkedRange(range, `${path}/bins/${index}`)),
    amount: amount && amountBounds(amount, `${path}/amount`),
    testModes: sent.testModes && new Set(sent.testModes),
  }
}

const codesIn = <Code extends string>(
  codes: readonly string[] | undefined,
  isCode: (text: string) => text is Code,
): ReadonlySet<Code> | undefined => codes && new Set(codes.map((code) => narrow(isCode, code)))

function checkedRange(range: BinRange, path: string): BinRange {
  if (range.from.length !== range.to.length) throw new RoutesError(`${path}/to must have as many digits as from`)
  if (range.from > range.to) throw new RoutesError(`${path}/to must not be less than from`)
  return range
}

function amountBounds(
  { currency, from, to }: NonNullable<SentConditions['amount']>,
  path: string,
): NonNullable<RouteConditions['amount']> {
  const code = narrow(isCurrency, currency)
  if (from === undefined && to === undefined) throw new RoutesError(`${path} must have from, to or both`)
  const minorOf = (text: string, member: string): number => {
    const parsed = parseAmount(text, code)
    if (parsed.kind === 'refused') throw new RoutesError(`${path}/${member}: ${parsed.reason}`)
    return parsed.amountMinor
  }
  const fromMinor = from === undefined ? 0 : minorOf(from, 'from')
  const toMinor = to === undefined ? domainLimits.amountMinorMax : minorOf(to, 'to')
  if (fromMinor > toMinor) throw new RoutesError(`${path}/to must not be less than from`)
  return { currency: code, fromMinor, toMinor }
}

function refuseRepeated<Item>(
  items: readonly Item[],
  nameOf: (item: Item) => string,
  messageFor: (index: number) => string,
): void {
  const names = items.map(nameOf)
  const repeated = names.findIndex((name, index) => names.indexOf(name) < index)
  if (repeated >= 0) throw new RoutesError(messageFor(repeated))
}

/** Reads stored routes. Throws if they do not satisfy the schema. */
export function readRoutes(text: string): RouteSet {
  return Value.Parse(routeSet, JSON.parse(text))
}
