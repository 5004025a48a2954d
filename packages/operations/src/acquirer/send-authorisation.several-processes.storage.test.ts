import { StorageError, type Unit } from '@tollgate/storage'
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { monthly, subscriber, summary, type TestGateway } from '@tollgate/gateway/testing'
import { twoProcesses } from '../testing/two-processes.ts'
import { limits } from '../limits.ts'
import { notificationQueues } from '../webhooks/new-notification.ts'

const { storage, one, other, pay, refer, codeOf, attempts, connect, approved, reverseTimeouts, close } =
  await twoProcesses()
afterAll(close)
let { acquirer, time } = connect()
beforeEach(() => void ({ acquirer, time } = connect()))

test('a notificationUrl is called for what another process ends, since the one that asked is gone', async () => {
  const answer = pay({ notificationUrl: 'http://127.0.0.1:9/' })
  const { request, fail } = await acquirer.nth(0)
  await reverseTimeouts(limits.attemptMs)
  const calls = (
    await Promise.all(
      notificationQueues.map((lane) => storage.dueJobs('notification', lane, Number.MAX_SAFE_INTEGER, 99)),
    )
  ).flat()
  const events = await Promise.all(calls.map(({ subject_id }) => storage.event(subject_id)))
  expect(events.filter((event) => event?.root_id === request.transactionId)).toHaveLength(1)
  fail({ status: 'unknown' })
  await answer
  await reverseTimeouts(0)
})

describe('a commit', () => {
  const commit = storage.commit.bind(storage)
  afterEach(() => void Object.assign(storage, { commit }))

  // Which commit of the payment fails, whether it is written all the same, and what is left of it then.
  test.each([
    ['of what is reserved', 0, true, 0, ['NOK', '900.100.301', 0]],
    ['of what is reserved', 0, false, 0, [undefined, undefined, 0]],
    ['of what was said', 1, true, 1, ['ACK', '000.100.110', 1]],
    ['of what was said', 1, false, 1, ['NOK', '900.100.301', 0]],
  ] as const)('%s (%i) of which nobody knows, written: %s', async (_, failing, isWritten, asked, left) => {
    acquirer.reply = 'answer'
    let commits = 0
    let id = ''
    Object.assign(storage, {
      commit: async (unit: Unit) => {
        commits += 1
        id ||= unit.id
        if (commits !== failing + 1) return commit(unit)
        if (isWritten) await commit(unit)
        throw new StorageError('unknown', 'the connection was lost')
      },
    })
    const key = { 'idempotency-key': `k-${failing}-${isWritten}` }
    expect(summary(await pay({}, key))).toEqual([failing === 0 ? 500 : 400, '900.100.300'])
    Object.assign(storage, { commit })
    expect(acquirer.requests.length).toBe(asked)
    const ends = await reverseTimeouts(limits.attemptMs)
    const [row] = await storage.transactions([id])
    expect([row?.status, row?.result_code, acquirer.books.size]).toEqual(left)
    expect(ends).toEqual(row?.status === 'NOK' ? ['900.100.301'] : [])
    expect(await attempts()).toEqual([])
    const { number } = acquirer.requests[0]?.request.account ?? {}
    expect(number?.use((bytes) => bytes.some((byte) => byte > 0)) ?? false).toBe(false)
  })
})

describe('a process that', () => {
  test('is gone when the answer comes leaves nothing at the acquirer', async () => {
    const forgotten = pay({}, { 'idempotency-key': 'k-2' })
    const { request, executeSilently } = await acquirer.nth(0)
    executeSilently()
    expect(await reverseTimeouts(limits.attemptMs - 1)).toEqual([])
    expect(await reverseTimeouts(1)).toEqual(['900.100.301'])
    expect([await codeOf(request.transactionId), acquirer.books.size]).toEqual(['900.100.301', 0])
    await time.pass()
    await forgotten
  })

  test.each(['full', 'unknown'] as const)(
    'cannot store what was said (%s) does not say that nothing was done',
    async (kind) => {
      const answer = pay()
      const { request, answer: say } = await acquirer.nth(0)
      const commit = vi.spyOn(storage, 'commit').mockRejectedValue(new StorageError(kind, 'simulated'))
      say()
      const told = await answer
      commit.mockRestore()
      expect([told.body.id, ...summary(told)]).toEqual([request.transactionId, 400, '900.100.300'])
      await reverseTimeouts(limits.attemptMs)
      expect([await codeOf(request.transactionId), acquirer.books.size]).toEqual(['900.100.301', 0])
    },
  )

  test('hears an approval after others have ended the attempt has it reversed', async () => {
    const answer = pay()
    const { request, answer: say } = await acquirer.nth(0)
    await reverseTimeouts(limits.attemptMs)
    expect(acquirer.books.size).toBe(0)
    say()
    expect(summary(await answer)).toEqual([400, '900.100.300'])
    // The acquirer had not heard of it when it was ended.
    expect(acquirer.books.size).toBe(1)
    await reverseTimeouts(limits.attemptMs)
    expect([acquirer.books.size, await codeOf(request.transactionId)]).toEqual([0, '900.100.301'])
  })

  test('hears an approval after it has told that there was no answer has it reversed', async () => {
    const answer = pay()
    const { answer: say } = await acquirer.nth(0)
    await time.pass()
    expect(summary(await answer)).toEqual([400, '900.100.301'])
    // The acquirer had not heard of it when it was told to undo it.
    say()
    expect(acquirer.books.size).toBe(1)
    await vi.waitFor(async () => expect(await attempts()).toHaveLength(1))
    await reverseTimeouts(limits.attemptMs)
    expect([acquirer.books.size, await attempts()]).toEqual([0, []])
  })

  test('hears an approval of what others know to be done leaves it at that', async () => {
    const id = await approved(acquirer)
    const reversal = refer(id, 'RV')
    const { answer: say } = await acquirer.nth(1)
    expect(await reverseTimeouts(limits.attemptMs)).toEqual(['000.100.110'])
    say()
    await reversal
    expect(await reverseTimeouts(limits.attemptMs)).toEqual(['was approved'])
    expect([acquirer.reversalRequests.length, await attempts()]).toEqual([1, []])
  })

  test('is told that what was undone is done shows it to people', async () => {
    const answer = pay()
    const { request, answer: say } = await acquirer.nth(0)
    await reverseTimeouts(limits.attemptMs)
    say()
    await answer
    const approval = { status: 'approved' as const, code: '000.100.110' as const, amountMinor: 9200, details: {} }
    const direct = { ...acquirer.connector, reverse: async () => ({ kind: 'done' as const, answer: approval }) }
    Object.assign(other.gateway.acquirers, { direct })
    expect(await reverseTimeouts(limits.attemptMs)).toEqual(['the acquirer has done what it had undone'])
    expect((await storage.deadLetteredBefore('~', 1)).map(({ subject_id: about }) => about)).toEqual([
      request.transactionId,
    ])
    expect(await codeOf(request.transactionId)).toBe('900.100.301')
  })
})

test('a run that another process makes after the first one has stalled is charged once', async () => {
  acquirer.reply = 'answer'
  const { id } = (await one.send('POST', '/scheduling/v1/schedules', monthly(await subscriber(one)))).body
  acquirer.reply = undefined
  const before = acquirer.books.size
  const dueAtMs = (await storage.job(id))?.due_at_ms ?? 0
  for (const { clock } of [one, other]) clock.nowMs = dueAtMs
  const run = ({ gateway }: TestGateway) => {
    const kind = gateway.jobs.kinds().find(({ name }) => name === 'run-schedule')
    return storage.job(id).then((job) => job && kind?.run(job, new AbortController().signal))
  }
  const stalled = run(one)
  const first = await acquirer.nth(acquirer.requests.length)
  // Its hold has ended.
  const held = await storage.job(id)
  if (!held) throw new Error('the run is not over')
  const compareAndSets = [{ table: 'job' as const, from: held, to: { ...held, held_until_ms: 1 } }]
  await storage.commit({ id: 'u1', expectedVersions: [], compareAndSets, rows: {} })
  acquirer.reply = 'answer'
  expect(await run(other)).toMatch(/^000\.100\.110; next at/)
  first.answer()
  await stalled
  expect(acquirer.books.size).toBe(before + 2)
  await reverseTimeouts(limits.attemptMs)
  expect(acquirer.books.size).toBe(before + 1)
  // It was left to be ended twice.
  await reverseTimeouts(limits.attemptWaitsMs[0])
  expect(await attempts()).toEqual([])
})
