import { describe, expect, test } from 'vitest'
import type { JobRow } from './schema.ts'
import { describeDialects } from './testing/each-dialect.ts'
import { deliveryAttempt, checkout, event, job, schedule, session, webhook, webhookKey } from './testing/sample-rows.ts'

const committed = { kind: 'committed' }
const stale = { kind: 'stale' }

describeDialects((dialect) => {
  const { commit } = dialect

  describe('jobs', () => {
    const jobAt = (id: string, dueAtMs: number, changes: Partial<JobRow> = {}) =>
      job(id, { due_at_ms: dueAtMs, ...changes })
    const due = async (atMs: number, max = 10) =>
      (await dialect.storage.dueJobs('delivery', 'w1', atMs, max)).map(({ id }) => id)

    test('of a queue are returned by due time, then id, independently of other queues', async () => {
      await commit({ rows: { job: [jobAt('j3', 5), jobAt('j2', 5), jobAt('j1', 6), jobAt('j4', 4, { lane: 'w2' })] } })
      expect([await due(4), await due(5), await due(6), await due(6, 2)]).toEqual([
        [],
        ['j2', 'j3'],
        ['j2', 'j3', 'j1'],
        ['j2', 'j3'],
      ])
      const queue = ['delivery', 'w1'] as const
      expect([await dialect.storage.nextDue(...queue), await dialect.storage.nextDue('other', 'w1')]).toEqual([
        5,
        undefined,
      ])
      const queues = [
        ['delivery', 'w1'],
        ['other', 'w1'],
        ['delivery', 'unknown'],
        ['delivery', 'w2'],
      ] as const
      expect(await dialect.storage.dueQueues(queues, 3)).toEqual([])
      expect(await dialect.storage.dueQueues(queues, 4)).toEqual([['delivery', 'w2']])
      expect(new Set(await dialect.storage.dueQueues(queues, 5))).toEqual(new Set([queues[0], queues[3]]))
      expect(await dialect.storage.dueQueues([], 5)).toEqual([])
      expect([await dialect.storage.countDue(...queue, 6, 10), await dialect.storage.countDue(...queue, 6, 2)]).toEqual(
        [3, 2],
      )
    })

    test('that are due first in a queue are searched for the lowest id', async () => {
      expect(await dialect.storage.oldestWaiting('delivery', 'w1', 10)).toBeUndefined()
      const done = jobAt('j0', 1, { done_at_ms: 8 })
      await commit({
        rows: { job: [jobAt('j1', 9), jobAt('j2', 3), jobAt('j3', 2), jobAt('j4', 1, { lane: 'w2' }), done] },
      })
      const oldest = (max: number) => dialect.storage.oldestWaiting('delivery', 'w1', max)
      expect([await oldest(10), await oldest(2), await oldest(1)]).toEqual(['j1', 'j2', 'j3'])
    })

    test('that are dead-lettered are counted by kind, up to a bound', async () => {
      expect(await dialect.storage.countDeadLettered(10)).toEqual([])
      const deadLettered = (id: string, kind: string) => jobAt(id, 1, { kind, parked_at_ms: 7 })
      const rows = [
        deadLettered('j1', 'delivery'),
        deadLettered('j2', 'other'),
        deadLettered('j3', 'delivery'),
        jobAt('j4', 1),
      ]
      await commit({ rows: { job: rows } })
      const counts = (await dialect.storage.countDeadLettered(10)).toSorted((a, b) => b.jobs - a.jobs)
      expect(counts).toEqual([
        { kind: 'delivery', jobs: 2 },
        { kind: 'other', jobs: 1 },
      ])
      expect((await dialect.storage.countDeadLettered(2)).reduce((sum, { jobs }) => sum + jobs, 0)).toBe(2)
    })

    test('that are dead-lettered or done are not due, and can be read', async () => {
      const deadLettered = jobAt('j2', 1, { parked_at_ms: 7, last_error: 'answered 410' })
      const done = jobAt('j3', 1, { done_at_ms: 8 })
      await commit({ rows: { job: [jobAt('j1', 1), deadLettered, done] } })
      expect(await due(9)).toEqual(['j1'])
      expect(await dialect.storage.deadLetteredBefore('~', 10)).toEqual([deadLettered])
      expect(await dialect.storage.doneJobsBelow('j9', 10)).toEqual([done])
      expect(await dialect.storage.oldestWaiting('delivery', 'w1', 10)).toBe('j1')
      expect(await dialect.storage.jobsBefore('delivery', 'w1', 'j3', 10)).toEqual([deadLettered, jobAt('j1', 1)])
    })

    test('are in delivery order by place, then id, while they wait and have few attempts', async () => {
      const inOrder = (id: string, line_place: number, changes = {}) =>
        jobAt(id, 1, { line: 'p1', line_place, ...changes })
      const first = async () => (await dialect.storage.firstInOrder('delivery', 'w1', 'p1', 3))?.id
      expect(await first()).toBeUndefined()
      const jobs = [inOrder('j1', 5), inOrder('j4', 2), inOrder('j3', 3), inOrder('j2', 3), inOrder('j5', 1)]
      const otherJobs = [jobAt('j6', 1), inOrder('j7', 0, { lane: 'w2' }), inOrder('j8', 0, { line: 'p2' })]
      await commit({ rows: { job: [...jobs, ...otherJobs] } })
      expect(await dialect.storage.firstInOrder('delivery', 'w1', 'p1', 3)).toEqual(inOrder('j5', 1))
      await commit({ rows: { job: [inOrder('j5', 1, { done_at_ms: 8 }), inOrder('j4', 2, { parked_at_ms: 8 })] } })
      expect(await first()).toBe('j2')
      await commit({ rows: { job: [inOrder('j2', 3, { attempts: 3 })] } })
      expect(await first()).toBe('j2')
      await commit({ rows: { job: [inOrder('j2', 3, { attempts: 4 })] } })
      expect(await first()).toBe('j3')
    })

    test('are changed by a compare-and-set, which succeeds for one of two units', async () => {
      const stored = jobAt('j1', 1)
      await commit({ rows: { job: [stored] } })
      const race = [jobAt('j1', 60, { attempts: 1 }), null].map((to) =>
        commit({ compareAndSets: [{ table: 'job' as const, from: stored, to }] }),
      )
      expect(await Promise.all(race)).toEqual([committed, stale])
      expect(await dialect.storage.job('j1')).toEqual(jobAt('j1', 60, { attempts: 1 }))
      await commit({ compareAndSets: [{ table: 'job', from: jobAt('j1', 60, { attempts: 1 }), to: null }] })
      expect(await dialect.storage.job('j1')).toBeUndefined()
    })
  })

  describe('events', () => {
    test('are found by id, by merchant and range of ids, and below an id', async () => {
      const events = [event('e1'), event('e2', { merchant: 'another' }), event('e3'), event('e4')]
      await commit({ rows: { event: events } })
      expect(await dialect.storage.event('e2')).toEqual(events[1])
      expect(await dialect.storage.eventsBetween(event('').merchant, 'e1', 'e3', 9)).toEqual([events[0], events[2]])
      expect(await dialect.storage.eventsBelow('e3', 9)).toEqual(events.slice(0, 2))
    })

    test('and delivery attempts are added once, and removed by a compare-and-set', async () => {
      await commit({ rows: { event: [event('e1')], delivery_attempt: [deliveryAttempt(2), deliveryAttempt(1)] } })
      await expect(commit({ rows: { event: [event('e1')] } })).rejects.toMatchObject({ kind: 'constraint' })
      await expect(commit({ rows: { delivery_attempt: [deliveryAttempt(1)] } })).rejects.toMatchObject({
        kind: 'constraint',
      })
      expect(await dialect.storage.attemptsOf('j1')).toEqual([deliveryAttempt(1), deliveryAttempt(2)])
      await commit({
        compareAndSets: [
          { table: 'event', from: event('e1'), to: null },
          { table: 'delivery_attempt', from: deliveryAttempt(1), to: null },
        ],
      })
      expect([await dialect.storage.event('e1'), await dialect.storage.attemptsOf('j1')]).toEqual([
        undefined,
        [deliveryAttempt(2)],
      ])
    })
  })

  test('webhooks, including deleted ones, and all webhook keys are listed; a key is removed once', async () => {
    const keys = [webhookKey('k1'), webhookKey('k2', { webhook_id: 'w2' })]
    await commit({ rows: { webhook: [webhook('w2'), webhook('w1')], webhook_key: keys } })
    expect(await dialect.storage.webhooks()).toEqual([webhook('w1'), webhook('w2')])
    await commit({ rows: { webhook: [webhook('w1', { deleted_at_ms: 1 })] } })
    const listed = [webhook('w1', { deleted_at_ms: 1 }), webhook('w2')]
    expect([await dialect.storage.webhooks(), await dialect.storage.webhookKeys()]).toEqual([listed, keys])
    const removal = { table: 'webhook_key' as const, from: webhookKey('k1'), to: null }
    expect(await commit({ compareAndSets: [removal] })).toEqual(committed)
    expect(await dialect.storage.webhookKeys()).toEqual(keys.slice(1))
    expect(await commit({ compareAndSets: [removal] })).toEqual({ kind: 'stale' })
  })

  test('schedules are found by id, chain and registration, and are changed by a compare-and-set', async () => {
    const [first, next] = [schedule('s1', { active: 0 }), schedule('s2', { chain_id: 's1' })]
    const other = schedule('s3', { registration_id: 'r2' })
    await commit({ rows: { schedule: [first, next, other] } })
    expect(await dialect.storage.schedule('s2')).toEqual(next)
    expect(await dialect.storage.scheduleChain('s1', 9)).toEqual([first, next])
    expect(await dialect.storage.schedulesOf('r2', 9)).toEqual([other])
    const ended = schedule('s2', { chain_id: 's1', active: 0 })
    expect(await commit({ compareAndSets: [{ table: 'schedule', from: next, to: ended }] })).toEqual(committed)
    expect(await dialect.storage.schedule('s2')).toEqual(ended)
  })

  test('checkouts and sessions are found by id and due time; checkouts are changed, and sessions removed', async () => {
    const [fresh, old] = [checkout('c1'), checkout('c2', { expires_at_ms: 5 })]
    const [current, removed] = [session('v1'), session('v2', { forgotten_at_ms: 5 })]
    await commit({ rows: { checkout: [fresh, old], visit: [current, removed] } })
    expect([await dialect.storage.checkout('c1'), await dialect.storage.session('v1')]).toEqual([fresh, current])
    expect([await dialect.storage.checkoutsBefore(6, 9), await dialect.storage.sessionsBefore(6, 9)]).toEqual([
      [old],
      [removed],
    ])
    expect([await dialect.storage.checkoutsBefore(5, 9), await dialect.storage.sessionsBefore(5, 9)]).toEqual([[], []])
    const paid = checkout('c1', { transaction_id: 'p1' })
    expect(await commit({ compareAndSets: [{ table: 'checkout', from: fresh, to: paid }] })).toEqual(committed)
    expect(await commit({ compareAndSets: [{ table: 'checkout', from: fresh, to: paid }] })).toEqual({
      kind: 'stale',
    })
    expect(await dialect.storage.checkout('c1')).toEqual(paid)
    const removal = { table: 'visit' as const, from: removed, to: null }
    expect(await commit({ compareAndSets: [removal] })).toEqual(committed)
    expect(await dialect.storage.session('v2')).toBeUndefined()
  })
})
