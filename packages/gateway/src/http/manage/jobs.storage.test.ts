import type { JobRow } from '@tollgate/storage'
import { afterAll, describe, expect, test } from 'vitest'
import { cardWithoutPayment, testGateway } from '../../testing/test-gateway.ts'

const tollgate = await testGateway()
afterAll(() => tollgate.close())
const { send, manage, gateway, clock } = tollgate

const register = async (): Promise<string> => (await send('POST', '/v1/registrations', cardWithoutPayment())).body.id
const UNKNOWN_ID = '0'.repeat(32)

async function storeDeadLetteredJob(changes: Partial<JobRow> = {}): Promise<string> {
  const id = await register()
  const job = await gateway.storage.job(id)
  if (!job) throw new Error('the registration has no timer')
  const row = { ...job, parked_at_ms: clock.nowMs, attempts: 12, last_error: 'RangeError', ...changes }
  await gateway.storage.commit({ id: gateway.ids.ordered(), expectedVersions: [], rows: { job: [row] } })
  return id
}

test('due jobs are counted, with the oldest due time', async () => {
  await register()
  const kinds = async () => (await manage('GET', '/jobs')).body.kinds
  expect(await kinds()).toContainEqual({ kind: 'end-registration', due: 0 })
  clock.nowMs = Date.UTC(2035, 7, 2)
  expect(await kinds()).toContainEqual({
    kind: 'end-registration',
    due: 1,
    oldestDueAt: '2035-08-01T12:00:00.000Z',
  })
  await gateway.jobs.fastForward(clock.nowMs)
  clock.nowMs = Date.UTC(2026, 4, 4)
})

describe('dead-lettered jobs', () => {
  test('are listed with the reason, and retried', async () => {
    const id = await storeDeadLetteredJob()
    const { body } = await manage('GET', '/jobs/parked')
    expect(body.jobs).toEqual([
      {
        id,
        kind: 'end-registration',
        subjectId: id,
        dueAt: '2035-08-01T12:00:00.000Z',
        attempts: 12,
        parkedAt: '2026-05-04T00:00:00.000Z',
        lastError: 'RangeError',
        createdAt: '2026-05-04T00:00:00.000Z',
      },
    ])
    const { status, body: retried } = await manage('POST', `/jobs/${id}/retry`)
    expect([status, retried.attempts, retried.parkedAt, retried.dueAt]).toEqual([
      200,
      0,
      undefined,
      '2026-05-04T00:00:00.000Z',
    ])
    expect((await manage('GET', '/jobs/parked')).body).toEqual({ jobs: [] })
    expect((await manage('GET', `/jobs/${id}`)).body).toEqual(retried)
  })

  test('include those that an operator has dead-lettered', async () => {
    const id = await register()
    expect((await manage('POST', `/jobs/${id}/park`)).body.lastError).toBe('parked by an operator')
    expect((await manage('GET', '/jobs/parked')).body.jobs).toMatchObject([{ id }])
    await manage('POST', `/jobs/${id}/retry`)
  })
})

test.each([
  ['GET', `/jobs/${UNKNOWN_ID}`, 404],
  ['POST', `/jobs/${UNKNOWN_ID}/retry`, 404],
  ['POST', `/jobs/${UNKNOWN_ID}/park`, 404],
  ['GET', '/jobs/parked?before=x', 400],
  ['POST', '/jobs/x/retry', 400],
] as const)('%s %s is refused with %i', async (method, path, status) => {
  expect((await manage(method, path)).status).toBe(status)
})

test('a request for a completed job is answered with 404', async () => {
  const id = await storeDeadLetteredJob({ parked_at_ms: null, done_at_ms: clock.nowMs })
  expect((await manage('GET', `/jobs/${id}`)).status).toBe(404)
})
