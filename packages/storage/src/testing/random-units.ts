import * as fc from 'fast-check'
import type { Unit } from '../port.ts'
import { disputeChanges, disputeRows } from './random-dispute-rows.ts'
import { accountCompareAndSets, accountRows } from './random-account-rows.ts'
import { moneyCompareAndSets, moneyRows } from './random-money-rows.ts'
import { reportRemovals, reportRows } from './random-report-rows.ts'
import { bytes, fewValues, id, integer, listOf, rowsOf, text } from './random-values.ts'
import {
  accessToken,
  account,
  acquirerAttempt,
  cardDeclines,
  deliveryAttempt,
  checkout,
  connector,
  entity,
  event,
  expectedVersion,
  idempotencyKey,
  job,
  registration,
  riskRules,
  routeList,
  schedule,
  transaction,
  uniqueKey,
  velocity,
  session,
  terminal,
  webhook,
  webhookKey,
} from './sample-rows.ts'

// There are few ids, so that units conflict: trees are created twice, keys claimed twice, children added to two roots.
export const roots = ['p1', 'p2', 'p3']
export const children = ['c1', 'c2', 'c3', 'c4']
/** A transaction has one id, by which scans order it: no child has the id of another root. */
const places = roots.flatMap((root) => [root, ...children].map((rowId) => ({ root, rowId })))
const accountWith = (rowId: string, sealed: Uint8Array | null) => account(rowId, { sealed, key_id: sealed && 'k1' })

/** Rows without random values, so that compare-and-sets often succeed. */
const sent = (rowId: string, root: string) => transaction(rowId, root, { status: 'SENT' })
const claimedKey = (rowId: string) => idempotencyKey(rowId, { created_at_ms: 9 })
const permanentKey = (rowId: string) => uniqueKey(rowId, { created_at_ms: 9 })

/** Jobs with few different values, so that compare-and-sets often succeed. */
const someJob = fc
  .record({
    rowId: id,
    lane: fc.constantFrom('a', 'b'),
    due_at_ms: fc.nat(2),
    parked_at_ms: fc.constantFrom(null, null, 1),
    done_at_ms: fc.constantFrom(null, null, 1),
    line: fc.constantFrom(null, 'a', 'b'),
    place: fc.constantFrom(1, 2),
  })
  // Only a job in a delivery order has a place in it.
  .map(({ rowId, place, ...changes }) => job(rowId, { ...changes, line_place: changes.line === null ? null : place }))

/** Units of any kind. */
export const units: fc.Arbitrary<Unit> = fc
  .record({
    id: fc.uuid(),
    expectedVersions: fc.uniqueArray(
      fc
        .record({ root: fc.constantFrom(...roots), version: fc.nat(3) })
        .map(({ root, version }) => expectedVersion(root, version)),
      { maxLength: 2, selector: (expected) => expected.id },
    ),
    claims: listOf(
      fc.oneof(
        id.map((rowId) => claimedKey(rowId)),
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
        fc.constantFrom('k1', 'k2', 'k3').map((rowId) => permanentKey(rowId)),
        fc
          .tuple(
            fc.constantFrom('k1', 'k2', 'k3', 'k4', 'k5'),
            fc.constantFrom(...roots),
            fc.nat(9),
            fc.option(fc.nat(9)),
          )
          .map(([key, transactionId, atMs, lastsMs]) =>
            uniqueKey(key, {
              transaction_id: transactionId,
              created_at_ms: atMs,
              expires_at_ms: lastsMs === null ? null : atMs + lastsMs,
            }),
          ),
      ),
    ),
    compareAndSets: listOf(
      fc.oneof(
        fc
          .tuple(fc.constantFrom(...places), fc.constantFrom('ACK', 'NOK', 'SENT'))
          .map(([{ root, rowId }, status]) => ({
            table: 'payment_transaction' as const,
            from: sent(rowId, root),
            to: { ...sent(rowId, root), status, amount_minor: 7 },
          })),
        fc.tuple(id, text).map(([rowId, answer]) => ({
          table: 'idempotency_key' as const,
          from: claimedKey(rowId),
          to: { ...claimedKey(rowId), answer },
        })),
        fc.constantFrom('k1', 'k2', 'k3').map((rowId) => ({
          table: 'unique_key' as const,
          from: permanentKey(rowId),
          to: null,
        })),
        fc.tuple(id, fewValues, fewValues).map(([rowId, from, to]) => ({
          table: 'account' as const,
          from: accountWith(rowId, from),
          to: accountWith(rowId, to),
        })),
        fc.tuple(someJob, fc.option(someJob)).map(([from, to]) => ({
          table: 'job' as const,
          from,
          to: to && { ...to, id: from.id },
        })),
        fc.tuple(id, text).map(([rowId, payload]) => ({
          table: 'event' as const,
          from: event(rowId, { payload }),
          to: null,
        })),
        fc.tuple(id, fc.constantFrom('a', 'b'), fc.nat(3), fc.nat(1)).map(([rowId, counter, atMs, amount]) => ({
          table: 'velocity' as const,
          from: velocity(rowId, { counter, created_at_ms: atMs, amount_minor: amount }),
          to: null,
        })),
        fc.tuple(id, id, fc.option(text)).map(([transactionId, rowId, outcome]) => ({
          table: 'acquirer_attempt' as const,
          from: acquirerAttempt(rowId, { transaction_id: transactionId }),
          to: acquirerAttempt(rowId, { transaction_id: transactionId, outcome }),
        })),
        fc.tuple(id, fc.nat(2), fc.option(fc.nat(2))).map(([rowId, from, to]) => ({
          table: 'card_declines' as const,
          from: cardDeclines(rowId, { changed_at_ms: from }),
          to: to === null ? null : cardDeclines(rowId, { changed_at_ms: to }),
        })),
        moneyCompareAndSets,
        ...reportRemovals,
        ...disputeChanges,
        ...accountCompareAndSets,
        fc.tuple(id, fc.nat(2), fc.nat(2)).map(([rowId, from, to]) => ({
          table: 'terminal' as const,
          from: terminal(rowId, { next_trace: from }),
          to: terminal(rowId, { next_trace: to }),
        })),
        fc.tuple(id, fewValues, fewValues).map(([rowId, from, to]) => ({
          table: 'connector' as const,
          from: connector(rowId, { sealed: from }),
          to: connector(rowId, { sealed: to }),
        })),
        fc.nat(2).map((number) => ({ table: 'delivery_attempt' as const, from: deliveryAttempt(number), to: null })),
        fc.tuple(id, fc.uint8Array()).map(([rowId, sealed]) => ({
          table: 'webhook_key' as const,
          from: webhookKey(rowId, { sealed }),
          to: null,
        })),
        fc.tuple(id, fc.nat(1), fc.nat(1)).map(([rowId, from, to]) => ({
          table: 'schedule' as const,
          from: schedule(rowId, { active: from }),
          to: schedule(rowId, { active: to }),
        })),
        fc.tuple(id, fc.option(id), fc.option(id)).map(([rowId, from, to]) => ({
          table: 'checkout' as const,
          from: checkout(rowId, { transaction_id: from }),
          to: to === null ? null : checkout(rowId, { transaction_id: to }),
        })),
        fc.tuple(id, text, fc.option(text)).map(([rowId, from, to]) => ({
          table: 'visit' as const,
          from: session(rowId, { progress: from }),
          to: to === null ? null : session(rowId, { progress: to }),
        })),
        fc.tuple(id, fc.constantFrom('a', 'b'), text).map(([rowId, from, to]) => ({
          table: 'entity' as const,
          from: entity(rowId, { settings: from }),
          to: entity(rowId, { settings: to }),
        })),
        fc.tuple(id, fc.uint8Array({ maxLength: 1 }), fc.uint8Array({ maxLength: 1 })).map(([rowId, from, to]) => ({
          table: 'access_token' as const,
          from: accessToken(rowId, { hash: from }),
          to: accessToken(rowId, { hash: to }),
        })),
        fc.tuple(id, fc.constantFrom(null, 1)).map(([rowId, deleted]) => ({
          table: 'webhook' as const,
          from: webhook(rowId, { deleted_at_ms: null }),
          to: webhook(rowId, { deleted_at_ms: deleted }),
        })),
      ),
    ),
    rows: fc.record({
      payment_transaction: listOf(
        fc.oneof(
          fc.constantFrom(...places).map(({ root, rowId }) => sent(rowId, root)),
          fc
            .record({
              place: fc.constantFrom(...places),
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
            .map(({ place: { root, rowId }, type, ...changes }) =>
              // Only a root is a registration.
              transaction(rowId, root, { ...changes, type: type === 'RG' && root !== rowId ? 'CP' : type }),
            ),
        ),
      ),
      account: rowsOf(
        fc.oneof(
          fc.tuple(id, bytes, fc.option(text)).map(([rowId, sealed, holder]) => account(rowId, { sealed, holder })),
          fc.tuple(id, fewValues).map(([rowId, sealed]) => accountWith(rowId, sealed)),
        ),
      ),
      acquirer_attempt: rowsOf(
        fc
          .tuple(id, id, fc.option(text))
          .map(([transactionId, rowId, outcome]) => acquirerAttempt(rowId, { transaction_id: transactionId, outcome })),
      ),
      card_declines: rowsOf(
        fc
          .tuple(id, fc.nat(2), fc.nat(2))
          .map(([rowId, changed, expires]) => cardDeclines(rowId, { changed_at_ms: changed, expires_at_ms: expires })),
      ),
      ...moneyRows,
      ...reportRows,
      ...disputeRows,
      ...accountRows,
      terminal: rowsOf(fc.tuple(id, fc.nat(2)).map(([rowId, trace]) => terminal(rowId, { next_trace: trace }))),
      registration: rowsOf(
        fc
          .record({ rowId: id, deleted_at_ms: fc.option(integer), expires_at_ms: fc.nat(2) })
          .map(({ rowId, ...changes }) => registration(rowId, changes)),
      ),
      velocity: rowsOf(
        fc
          .tuple(id, fc.constantFrom('a', 'b'), fc.nat(3), fc.nat(1))
          .map(([rowId, counter, atMs, amount]) =>
            velocity(rowId, { counter, created_at_ms: atMs, amount_minor: amount }),
          ),
      ),
      job: rowsOf(someJob),
      event: rowsOf(fc.tuple(id, text).map(([rowId, payload]) => event(rowId, { payload }))),
      delivery_attempt: rowsOf(fc.nat(2).map((number) => deliveryAttempt(number))),
      webhook: rowsOf(
        fc.tuple(id, fc.constantFrom(null, 1)).map(([rowId, deleted]) => webhook(rowId, { deleted_at_ms: deleted })),
      ),
      webhook_key: rowsOf(fc.tuple(id, fc.uint8Array()).map(([rowId, sealed]) => webhookKey(rowId, { sealed }))),
      schedule: rowsOf(
        fc
          .record({ rowId: id, registration_id: id, chain_id: id, active: fc.nat(1) })
          .map(({ rowId, ...changes }) => schedule(rowId, changes)),
      ),
      checkout: rowsOf(
        fc.tuple(id, fc.option(id)).map(([rowId, transactionId]) => checkout(rowId, { transaction_id: transactionId })),
      ),
      visit: rowsOf(fc.tuple(id, text).map(([rowId, progress]) => session(rowId, { progress }))),
      risk_rules: rowsOf(fc.tuple(id, fc.option(text)).map(([rowId, rules]) => riskRules(rowId, { rules }))),
      route_list: rowsOf(fc.tuple(id, fc.option(text)).map(([rowId, routes]) => routeList(rowId, { routes }))),
      connector: rowsOf(fc.tuple(id, fewValues).map(([rowId, sealed]) => connector(rowId, { sealed }))),
      entity: rowsOf(fc.tuple(id, text).map(([rowId, settings]) => entity(rowId, { settings }))),
      access_token: rowsOf(fc.tuple(id, fc.uint8Array()).map(([rowId, hash]) => accessToken(rowId, { hash }))),
      installation: rowsOf(fc.tuple(id, text).map(([name, value]) => ({ name, value }))),
    }),
  })
  .map(({ claims: [claim], rows, ...unclaimed }) => {
    // A unit that creates a tree adds its root.
    const created = unclaimed.expectedVersions.filter(({ version }) => version === 0)
    const added = rows.payment_transaction.filter((row) =>
      created.every((tree) => tree.id !== row.id || row.id !== row.root_id),
    )
    const transactions = [...created.map((tree) => sent(tree.id, tree.id)), ...added]
    return { ...unclaimed, ...(claim && { claim }), rows: { ...rows, payment_transaction: transactions } }
  })
