import { openMemory } from '@tollgate/storage'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { startTasks } from './start-tasks.ts'
import { jobRow } from './testing/job-row.ts'
import { cardPayment, testGateway } from './testing/test-gateway.ts'

const CARD = cardPayment()
const NUMBER = CARD['card.number'] ?? ''
const STACK = expect.stringMatching(
  /^packages\/gateway\/(src|dist)\/failure-log\.test\.[jt]s:\d+:\d+ (.+ )?packages\/operations\/dist\//,
)
const ID = expect.stringMatching(/^[0-9a-f]{32}$/)

/** An error of a library whose texts and stack contain a card number. */
const errorWithNumber = () =>
  Object.assign(new RangeError(`no place for ${NUMBER}\n    at ${NUMBER} (packages/${NUMBER}.js:1:1)`), {
    name: `of ${NUMBER}`,
    code: NUMBER,
    cause: new Error(NUMBER),
    row: { number: NUMBER },
  })

let isBroken = false
const memory = openMemory()
const unlessBroken = <Result>(call: () => Promise<Result>) => (isBroken ? Promise.reject(errorWithNumber()) : call())
const tollgate = await testGateway({
  storage: {
    ...memory,
    commit: (unit) => unlessBroken(() => memory.commit(unit)),
    treeOf: (id) => unlessBroken(() => memory.treeOf(id)),
    checkout: (id) => unlessBroken(() => memory.checkout(id)),
    accountsAfter: (id, max) => unlessBroken(() => memory.accountsAfter(id, max)),
  },
})
afterAll(() => tollgate.close())
beforeEach(() => {
  isBroken = false
})

/** The error lines that a failing action logs; no line of the log may contain the number. */
async function failuresOf(fail: () => Promise<unknown>) {
  const before = tollgate.logged.length
  isBroken = true
  await fail()
  const lines = tollgate.logged.slice(before)
  expect(JSON.stringify(lines)).not.toContain(NUMBER)
  return lines.filter(({ level }) => level === 'error')
}

const error = { level: 'error', error: 'RangeError', stack: STACK }

test('an operation that throws is logged with its name, a request id and the stack of the error', async () => {
  const answers: unknown[] = []
  const lines = await failuresOf(async () => answers.push(await tollgate.send('POST', '/v1/payments', CARD)))
  expect(answers).toMatchObject([{ status: 500, body: { result: { code: '600.100.100' } } }])
  expect(lines).toEqual([{ ...error, operation: 'createPayment', requestId: ID, code: '600.100.100', status: 500 }])
})

test('a page that throws is logged with its route', async () => {
  const lines = await failuresOf(() => tollgate.request({ method: 'GET', url: `/pages/checkouts/${NUMBER}` }))
  expect(lines).toMatchObject([{ ...error, operation: 'GET /pages/checkouts/:id', requestId: ID }])
})

test('a management request that throws is logged with its route and the id of its answer', async () => {
  const ids: unknown[] = []
  const lines = await failuresOf(async () => {
    const { headers } = await tollgate.manage('POST', '/entities', { kind: 'psp', name: NUMBER })
    ids.push(headers['x-request-id'])
  })
  expect(lines).toEqual([{ ...error, operation: 'manage POST /manage/v1/entities', requestId: ids[0] }])
})

test('a job that throws is logged with its kind, its id, its subject and the stack of the error', async () => {
  const { gateway, clock } = tollgate
  const job = jobRow('1'.repeat(32), {
    kind: 'end-authorisation',
    subject_id: '2'.repeat(32),
    due_at_ms: clock.now(),
  })
  await memory.commit({ id: 'u', expectedVersions: [], rows: { job: [job] } })
  const kind = gateway.jobs.kinds().find(({ name }) => name === job.kind)
  expect(kind).toBeDefined()
  const lines = await failuresOf(async () => {
    gateway.jobs.start()
    await expect.poll(() => tollgate.logged.some((line) => line['job'] === job.kind)).toBe(true)
    await gateway.jobs.stop()
  })
  expect(lines).toContainEqual({ ...error, job: job.kind, id: job.id, subject: job.subject_id })
  // The next attempt of the job cannot be stored either.
  expect(lines).toContainEqual({ ...error, worker: 'job runner' })
})

test('a background task that throws is logged with its name', async () => {
  const lines = await failuresOf(async () => {
    const tasks = startTasks(tollgate.gateway)
    await expect.poll(() => tollgate.logged.some(({ worker }) => worker === 'retention')).toBe(true)
    await tasks.stop()
  })
  expect(lines).toContainEqual({ ...error, worker: 'retention' })
})
