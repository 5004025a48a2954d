import { StorageError, type Unit } from '@tollgate/storage'
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { monthlyPlan, createSubscriber, summary, type TestGateway } from '@tollgate/gateway/testing'
import { twoProcesses } from '../testing/two-processes.ts'
import { limits } from '../limits.ts'
import { notificationQueues } from '../webhooks/new-notification.ts'

const {
  storage,
  local,
  peer,
  pay,
  followUp,
  codeOf,
  reversalJobs,
  connectAcquirer,
  approvedPayment,
  reverseTimeouts,
  close,
} = await twoProcesses()
afterAll(close)
let { acquirer, time } = connectAcquirer()
beforeEach(() => void ({ acquirer, time } = connectAcquirer()))

test('one notification is scheduled for a payment that a peer has reversed after a timeout', async () => {
  const answer = pay({ notificationUrl: 'http://127.0.0.1:9/' })
  const { request, fail } = await acquirer.nthRequest(0)
  await reverseTimeouts(limits.timeoutReversalAfterMs)
  const notifications = (
    await Promise.all(
      notificationQueues.map((queue) => storage.dueJobs('notification', queue, Number.MAX_SAFE_INTEGER, 99)),
    )
  ).flat()
  const events = await Promise.all(notifications.map(({ subject_id }) => storage.event(subject_id)))
  expect(events.filter((event) => event?.root_id === request.transactionId)).toHaveLength(1)
  fail({ status: 'unknown' })
  await answer
  await reverseTimeouts(0)
})

describe('a commit with an unknown outcome', () => {
  const commit = storage.commit.bind(storage)
  afterEach(() => void Object.assign(storage, { commit }))

  // Columns: the unit, the index of the commit that fails, whether its rows are written, the number of requests to the
  // acquirer, and the outcome: status and result code of the transaction, and the number of transactions in the books
  // of the acquirer.
  test.each([
    ['the reservation', 0, true, 0, ['NOK', '900.100.301', 0]],
    ['the reservation', 0, false, 0, [undefined, undefined, 0]],
    ['the acquirer’s response', 1, true, 1, ['ACK', '000.100.110', 1]],
    ['the acquirer’s response', 1, false, 1, ['NOK', '900.100.301', 0]],
  ] as const)('of %s (commit %i, rows written: %s) leads to one outcome', async (...columns) => {
    const [, failingCommit, isWritten, requests, outcome] = columns
    acquirer.reply = 'answer'
    let commits = 0
    let id = ''
    Object.assign(storage, {
      commit: async (unit: Unit) => {
        commits += 1
        id ||= unit.id
        if (commits !== failingCommit + 1) return commit(unit)
        if (isWritten) await commit(unit)
        throw new StorageError('unknown', 'the connection was lost')
      },
    })
    const key = { 'idempotency-key': `k-${failingCommit}-${isWritten}` }
    expect(summary(await pay({}, key))).toEqual([failingCommit === 0 ? 500 : 400, '900.100.300'])
    Object.assign(storage, { commit })
    expect(acquirer.requests.length).toBe(requests)
    const reversals = await reverseTimeouts(limits.timeoutReversalAfterMs)
    const [row] = await storage.transactions([id])
    expect([row?.status, row?.result_code, acquirer.books.size]).toEqual(outcome)
    expect(reversals).toEqual(row?.status === 'NOK' ? ['900.100.301'] : [])
    expect(await reversalJobs()).toEqual([])
    const { number } = acquirer.requests[0]?.request.account ?? {}
    expect(number?.use((bytes) => bytes.some((byte) => byte > 0)) ?? false).toBe(false)
  })
})

describe('a process', () => {
  test('that stops before the acquirer’s response leaves no transaction at the acquirer', async () => {
    const abandoned = pay({}, { 'idempotency-key': 'k-2' })
    const { request, executeSilently } = await acquirer.nthRequest(0)
    executeSilently()
    expect(await reverseTimeouts(limits.timeoutReversalAfterMs - 1)).toEqual([])
    expect(await reverseTimeouts(1)).toEqual(['900.100.301'])
    expect([await codeOf(request.transactionId), acquirer.books.size]).toEqual(['900.100.301', 0])
    await time.pass()
    await abandoned
  })

  test.each(['full', 'unknown'] as const)(
    'that cannot store the acquirer’s response (%s) answers with an unknown outcome, and the payment is reversed',
    async (kind) => {
      const answer = pay()
      const { request, answer: respond } = await acquirer.nthRequest(0)
      const commit = vi.spyOn(storage, 'commit').mockRejectedValue(new StorageError(kind, 'simulated'))
      respond()
      const paid = await answer
      commit.mockRestore()
      expect([paid.body.id, ...summary(paid)]).toEqual([request.transactionId, 400, '900.100.300'])
      await reverseTimeouts(limits.timeoutReversalAfterMs)
      expect([await codeOf(request.transactionId), acquirer.books.size]).toEqual(['900.100.301', 0])
    },
  )

  test('that receives an approval after a peer sent the reversal schedules another reversal', async () => {
    const answer = pay()
    const { request, answer: respond } = await acquirer.nthRequest(0)
    await reverseTimeouts(limits.timeoutReversalAfterMs)
    expect(acquirer.books.size).toBe(0)
    respond()
    expect(summary(await answer)).toEqual([400, '900.100.300'])
    // The acquirer received the request after the reversal.
    expect(acquirer.books.size).toBe(1)
    await reverseTimeouts(limits.timeoutReversalAfterMs)
    expect([acquirer.books.size, await codeOf(request.transactionId)]).toEqual([0, '900.100.301'])
  })

  test('that receives an approval after it answered with a timeout schedules a reversal', async () => {
    const answer = pay()
    const { answer: respond } = await acquirer.nthRequest(0)
    await time.pass()
    expect(summary(await answer)).toEqual([400, '900.100.301'])
    // The acquirer received the request after the reversal.
    respond()
    expect(acquirer.books.size).toBe(1)
    await vi.waitFor(async () => expect(await reversalJobs()).toHaveLength(1))
    await reverseTimeouts(limits.timeoutReversalAfterMs)
    expect([acquirer.books.size, await reversalJobs()]).toEqual([0, []])
  })

  test('does not reverse an approval that a peer has already stored', async () => {
    const id = await approvedPayment(acquirer)
    const reversal = followUp(id, 'RV')
    const { answer: respond } = await acquirer.nthRequest(1)
    expect(await reverseTimeouts(limits.timeoutReversalAfterMs)).toEqual(['000.100.110'])
    respond()
    await reversal
    expect(await reverseTimeouts(limits.timeoutReversalAfterMs)).toEqual(['not reversed: the transaction was approved'])
    expect([acquirer.reversalRequests.length, await reversalJobs()]).toEqual([1, []])
  })

  test('dead-letters a reversal that the acquirer contradicts with an approval', async () => {
    const answer = pay()
    const { request, answer: respond } = await acquirer.nthRequest(0)
    await reverseTimeouts(limits.timeoutReversalAfterMs)
    respond()
    await answer
    const approval = { status: 'approved' as const, code: '000.100.110' as const, amountMinor: 9200, details: {} }
    const simulator = { ...acquirer.connector, reverse: async () => ({ kind: 'done' as const, answer: approval }) }
    Object.assign(peer.gateway.acquirers, { simulator })
    expect(await reverseTimeouts(limits.timeoutReversalAfterMs)).toEqual([
      'the acquirer reports an approval after it acknowledged the reversal',
    ])
    expect((await storage.deadLetteredBefore('~', 1)).map(({ subject_id: id }) => id)).toEqual([request.transactionId])
    expect(await codeOf(request.transactionId)).toBe('900.100.301')
  })
})

test('a run of a plan is charged once if a peer repeats it after the first process stalled', async () => {
  acquirer.reply = 'answer'
  const { id } = (await local.send('POST', '/scheduling/v1/schedules', monthlyPlan(await createSubscriber(local)))).body
  acquirer.reply = undefined
  const booksBefore = acquirer.books.size
  const dueAtMs = (await storage.job(id))?.due_at_ms ?? 0
  for (const { clock } of [local, peer]) clock.nowMs = dueAtMs
  const run = ({ gateway }: TestGateway) => {
    const kind = gateway.jobs.kinds().find(({ name }) => name === 'run-schedule')
    return storage.job(id).then((job) => job && kind?.run(job, new AbortController().signal))
  }
  const stalled = run(local)
  const stalledRequest = await acquirer.nthRequest(acquirer.requests.length)
  // The lease of the stalled process expires.
  const leased = await storage.job(id)
  if (!leased) throw new Error('the job of the run does not exist')
  const compareAndSets = [{ table: 'job' as const, from: leased, to: { ...leased, held_until_ms: 1 } }]
  await storage.commit({ id: 'u1', expectedVersions: [], compareAndSets, rows: {} })
  acquirer.reply = 'answer'
  expect(await run(peer)).toMatch(/^000\.100\.110; next at/)
  stalledRequest.answer()
  await stalled
  expect(acquirer.books.size).toBe(booksBefore + 2)
  await reverseTimeouts(limits.timeoutReversalAfterMs)
  expect(acquirer.books.size).toBe(booksBefore + 1)
  // There were two reversal jobs: the timer of the request, and the job that was scheduled because the approval could
  // not be stored. They ran concurrently, so one job lost the compare-and-set and is due again after the first wait.
  await reverseTimeouts(limits.timeoutReversalWaitsMs[0])
  expect(await reversalJobs()).toEqual([])
})
