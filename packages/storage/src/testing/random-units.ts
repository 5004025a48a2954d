import * as fc from 'fast-check'
import type { Unit } from '../port.ts'
import {
  accessToken,
  account,
  deliveryAttempt,
  checkout,
  entity,
  event,
  expectedVersion,
  idempotencyKey,
  job,
  registration,
  riskRules,
  schedule,
  transaction,
  uniqueKey,
  velocity,
  session,
  webhook,
  webhookKey,
} from './sample-rows.ts'

// Few ids, so that units conflict: trees are created twice, keys claimed twice, children put under two roots.
export const roots = ['p1', 'p2', 'p3']
export const children = ['c1', 'c2', 'c3', 'c4']
export const plainIds = ['x1', 'x2']

const listOf = <T>(arbitrary: fc.Arbitrary<T>, maxLength = 2) => fc.array(arbitrary, { maxLength })
const id = fc.constantFrom(...plainIds)
const bytes = fc.option(fc.uint8Array({ maxLength: 40 }))
const text = fc.string({ unit: 'grapheme', maxLength: 20 })
const integer = fc.maxSafeInteger()

/** Values of few kinds for accounts, so that many compare-and-sets succeed. */
const fewValues = fc.constantFrom(null, Uint8Array.of(), Uint8Array.of(1))
const accountWith = (each: string, sealed: Uint8Array | null) => account(each, { sealed, key_id: sealed && 'k1' })

/** Rows without random values, so that compare-and-sets often succeed. */
const sent = (each: string, root: string) => transaction(each, root, { status: 'SENT' })
const claimedKey = (each: string) => idempotencyKey(each, { created_at_ms: 9 })
const permanentKey = (each: string) => uniqueKey(each, { created_at_ms: 9 })

/** Jobs with few values, for the same reason. */
const someJob = fc
  .record({
    each: id,
    lane: fc.constantFrom('a', 'b'),
    due_at_ms: fc.nat(2),
    parked_at_ms: fc.constantFrom(null, null, 1),
    done_at_ms: fc.constantFrom(null, null, 1),
    line: fc.constantFrom(null, 'a', 'b'),
    line_place: fc.constantFrom(null, 1, 2),
  })
  .map(({ each, ...changes }) => job(each, changes))

/** Units of any kind. */
export const units: fc.Arbitrary<Unit> = fc
  .record({
    id: fc.uuid(),
    expectedVersions: fc.uniqueArray(
      fc
        .record({ root: fc.constantFrom(...roots), version: fc.nat(3) })
        .map((at) => expectedVersion(at.root, at.version)),
      { maxLength: 2, selector: (at) => at.id },
    ),
    claims: listOf(
      fc.oneof(
        id.map((each) => claimedKey(each)),
        fc
          .tuple(id, text, fc.nat(9), fc.nat(9))
          .map(([key, answer, atMs, lastsMs]) =>
            idempotencyKey(key, { answer, created_at_ms: atMs, expires_at_ms: atMs + lastsMs }),
          ),
      ),
      1,
    ),
    unique: listOf(
      fc.oneof(
        fc.constantFrom('k1', 'k2', 'k3').map((each) => permanentKey(each)),
        fc
          .tuple(
            fc.constantFrom('k1', 'k2', 'k3', 'k4', 'k5'),
            fc.constantFrom(...roots),
            fc.nat(9),
            fc.option(fc.nat(9)),
          )
          .map(([key, first, atMs, lastsMs]) =>
            uniqueKey(key, {
              transaction_id: first,
              created_at_ms: atMs,
              expires_at_ms: lastsMs === null ? null : atMs + lastsMs,
            }),
          ),
      ),
    ),
    compareAndSets: listOf(
      fc.oneof(
        fc
          .tuple(
            fc.constantFrom(...roots),
            fc.constantFrom(...roots, ...children),
            fc.constantFrom('ACK', 'NOK', 'SENT'),
          )
          .map(([root, each, status]) => ({
            table: 'payment_transaction' as const,
            from: sent(each, root),
            to: { ...sent(each, root), status, amount_minor: 7 },
          })),
        fc.tuple(id, text).map(([each, answer]) => ({
          table: 'idempotency_key' as const,
          from: claimedKey(each),
          to: { ...claimedKey(each), answer },
        })),
        fc.constantFrom('k1', 'k2', 'k3').map((each) => ({
          table: 'unique_key' as const,
          from: permanentKey(each),
          to: null,
        })),
        fc.tuple(id, fewValues, fewValues).map(([each, from, to]) => ({
          table: 'account' as const,
          from: accountWith(each, from),
          to: accountWith(each, to),
        })),
        fc.tuple(someJob, fc.option(someJob)).map(([from, to]) => ({
          table: 'job' as const,
          from,
          to: to && { ...to, id: from.id },
        })),
        fc.tuple(id, text).map(([each, payload]) => ({
          table: 'event' as const,
          from: event(each, { payload }),
          to: null,
        })),
        fc.tuple(id, fc.constantFrom('a', 'b'), fc.nat(3), fc.nat(1)).map(([each, counter, at, amount]) => ({
          table: 'velocity' as const,
          from: velocity(each, { counter, created_at_ms: at, amount_minor: amount }),
          to: null,
        })),
        fc.nat(2).map((number) => ({ table: 'delivery_attempt' as const, from: deliveryAttempt(number), to: null })),
        fc.tuple(id, fc.uint8Array()).map(([each, sealed]) => ({
          table: 'webhook_key' as const,
          from: webhookKey(each, { sealed }),
          to: null,
        })),
        fc.tuple(id, fc.nat(1), fc.nat(1)).map(([each, from, to]) => ({
          table: 'schedule' as const,
          from: schedule(each, { active: from }),
          to: schedule(each, { active: to }),
        })),
        fc.tuple(id, fc.option(id), fc.option(id)).map(([each, from, to]) => ({
          table: 'checkout' as const,
          from: checkout(each, { transaction_id: from }),
          to: to === null ? null : checkout(each, { transaction_id: to }),
        })),
        fc.tuple(id, text, fc.option(text)).map(([each, from, to]) => ({
          table: 'visit' as const,
          from: session(each, { progress: from }),
          to: to === null ? null : session(each, { progress: to }),
        })),
        fc.tuple(id, fc.constantFrom('a', 'b'), text).map(([each, from, to]) => ({
          table: 'entity' as const,
          from: entity(each, { settings: from }),
          to: entity(each, { settings: to }),
        })),
        fc.tuple(id, fc.uint8Array({ maxLength: 1 }), fc.uint8Array({ maxLength: 1 })).map(([each, from, to]) => ({
          table: 'access_token' as const,
          from: accessToken(each, { hash: from }),
          to: accessToken(each, { hash: to }),
        })),
        fc.tuple(id, fc.constantFrom(null, 1)).map(([each, deleted]) => ({
          table: 'webhook' as const,
          from: webhook(each, { deleted_at_ms: null }),
          to: webhook(each, { deleted_at_ms: deleted }),
        })),
      ),
    ),
    rows: fc.record({
      payment_transaction: listOf(
        fc.oneof(
          fc
            .tuple(fc.constantFrom(...roots), fc.constantFrom(...roots, ...children))
            .map(([root, each]) => sent(each, root)),
          fc
            .record({
              root: fc.constantFrom(...roots),
              each: fc.constantFrom(...roots, ...children),
              amount_minor: fc.option(integer),
              registration_id: fc.option(id),
              status: fc.constantFrom('ACK', 'NOK'),
              network_transaction_id: fc.option(id),
              initial_transaction_id: fc.option(id),
              created_at_ms: fc.nat(2),
              type: fc.constantFrom('DB', 'RG', 'CP'),
              method: fc.constantFrom('CC', 'DD', null),
              channel: id,
              merchant_transaction_id: fc.option(id),
            })
            .map(({ root, each, type, ...changes }) =>
              // Only a root is a registration.
              transaction(each, root, { ...changes, type: type === 'RG' && root !== each ? 'CP' : type }),
            ),
        ),
      ),
      account: listOf(
        fc.oneof(
          fc.tuple(id, bytes, fc.option(text)).map(([each, sealed, holder]) => account(each, { sealed, holder })),
          fc.tuple(id, fewValues).map(([each, sealed]) => accountWith(each, sealed)),
        ),
      ),
      registration: listOf(
        fc
          .record({ each: id, deleted_at_ms: fc.option(integer), expires_at_ms: fc.nat(2) })
          .map(({ each, ...changes }) => registration(each, changes)),
      ),
      velocity: listOf(
        fc
          .tuple(id, fc.constantFrom('a', 'b'), fc.nat(3), fc.nat(1))
          .map(([each, counter, at, amount]) => velocity(each, { counter, created_at_ms: at, amount_minor: amount })),
      ),
      job: listOf(someJob),
      event: listOf(fc.tuple(id, text).map(([each, payload]) => event(each, { payload }))),
      delivery_attempt: listOf(fc.nat(2).map((number) => deliveryAttempt(number))),
      webhook: listOf(
        fc.tuple(id, fc.constantFrom(null, 1)).map(([each, deleted]) => webhook(each, { deleted_at_ms: deleted })),
      ),
      webhook_key: listOf(fc.tuple(id, fc.uint8Array()).map(([each, sealed]) => webhookKey(each, { sealed }))),
      schedule: listOf(
        fc
          .record({ each: id, registration_id: id, chain_id: id, active: fc.nat(1) })
          .map(({ each, ...changes }) => schedule(each, changes)),
      ),
      checkout: listOf(
        fc.tuple(id, fc.option(id)).map(([each, transactionId]) => checkout(each, { transaction_id: transactionId })),
      ),
      visit: listOf(fc.tuple(id, text).map(([each, progress]) => session(each, { progress }))),
      risk_rules: listOf(fc.tuple(id, fc.option(text)).map(([each, rules]) => riskRules(each, { rules }))),
      entity: listOf(fc.tuple(id, text).map(([each, settings]) => entity(each, { settings }))),
      access_token: listOf(fc.tuple(id, fc.uint8Array()).map(([each, hash]) => accessToken(each, { hash }))),
      installation: listOf(fc.tuple(id, text).map(([name, value]) => ({ name, value }))),
    }),
  })
  .map(({ claims: [claim], ...unclaimed }) => Object.assign(unclaimed, claim ? { claim } : {}))
