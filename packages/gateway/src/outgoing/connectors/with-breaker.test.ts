import type { AcquirerRequest, RemoteConnector } from '@tollgate/connectors'
import { limits } from '@tollgate/domain'
import { expect, test } from 'vitest'
import { withBreaker } from './with-breaker.ts'

type Outcome = Awaited<ReturnType<RemoteConnector['send']>>

const unknown: Outcome = { status: 'unknown' }
const notSent: Outcome = { status: 'notSent', reason: 'no link to the host is up' }
const declined: Outcome = { status: 'declined', code: '800.100.100', amountMinor: 0, details: {} }

/** A connector that answers each request with the next outcome, and a clock. */
function watched(isReady?: () => boolean) {
  const outcomes: Outcome[] = []
  const clock = { nowMs: 0, now: () => clock.nowMs }
  const connector: RemoteConnector = {
    kind: 'remote',
    name: 'acme',
    send: async () => outcomes.shift() ?? declined,
    reverse: async () => ({ kind: 'unknown' }),
    ...(isReady && { isReady }),
  }
  const { connector: wrapped, isHealthy } = withBreaker(connector, clock)
  const request: AcquirerRequest = Object.create(null)
  const answer = async (...next: readonly Outcome[]) => {
    outcomes.push(...next)
    for (const outcome of next) expect(await wrapped.send(request)).toBe(outcome)
  }
  return { clock, isHealthy, answer, wrapped }
}

const failures = (count: number) => Array.from({ length: count }, () => unknown)

test('a connector is unhealthy after consecutive requests without an answer, for a while', async () => {
  const { answer, isHealthy, clock } = watched()
  await answer(...failures(limits.breakerFailures - 1))
  expect(isHealthy()).toBe(true)
  await answer(unknown)
  expect(isHealthy()).toBe(false)
  clock.nowMs += limits.breakerMs
  expect(isHealthy()).toBe(true)
  await answer(unknown)
  clock.nowMs += limits.breakerMs
  expect(isHealthy()).toBe(false)
})

test('an answer in between, also a decline, ends the count, and one afterwards ends the pause', async () => {
  const { answer, isHealthy } = watched()
  await answer(...failures(limits.breakerFailures - 1), declined, ...failures(limits.breakerFailures - 1))
  expect(isHealthy()).toBe(true)
  await answer(unknown)
  expect(isHealthy()).toBe(false)
  await answer(declined)
  expect(isHealthy()).toBe(true)
})

test('requests that were not sent are counted, unless the connector reports the state of its connections', async () => {
  const requests = Array.from({ length: limits.breakerFailures }, () => notSent)
  const [withoutState, withState] = [watched(), watched(() => true)]
  await withoutState.answer(...requests)
  await withState.answer(...requests)
  expect([withoutState.isHealthy(), withState.isHealthy()]).toEqual([false, true])
})

test('a connector is unhealthy while no connection is up', () => {
  let isUp = false
  const { isHealthy, wrapped } = watched(() => isUp)
  expect(isHealthy()).toBe(false)
  isUp = true
  expect(isHealthy()).toBe(true)
  expect(wrapped.isReady?.()).toBe(true)
})
