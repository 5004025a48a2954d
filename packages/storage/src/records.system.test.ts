import { describe, expect, test } from 'vitest'
import type { JobRow } from './schema.ts'
import { describeDialects } from './testing/each-dialect.ts'
import { deliveryAttempt, checkout, event, job, schedule, session, webhook, webhookKey } from './testing/sample-rows.ts'

const committed = { kind: 'committed' }
const stale = { kind: 'stale' }

describeDialects((on) => {
  const { commit } = on

  describe('jobs', () => {
    const at = (id: string, dueAtMs: number, changes: Partial<JobRow> = {}) =>
      job(id, { due_at_ms: dueAtMs, ...changes })
    const due = async (atMs: number, max = 10) =>
      (await on.storage.dueJobs('delivery', 'w1', atMs, max)).map(({ id }) => id)

    test('of a queue come by time, then id, and other queues do not delay them', async () => {
      await commit({ rows: { job: [at('j3', 5), at('j2', 5), at('j1', 6), at('j4', 4, { lane: 'w2' })] } })
      expect([await due(4), await due(5), await due(6), await due(6, 2)]).toEqual([
        [],
        ['j2', 'j3'],
        ['j2', 'j3', 'j1'],
        ['j2', 'j3'],
      ])
      const ask = ['delivery', 'w1'] as const
      expect([await on.storage.nextDue(...ask), await on.storage.nextDue('other', 'w1')]).toEqual([5, undefined])
      const lanes = [
        ['delivery', 'w1'],
        ['other', 'w1'],
        ['delivery', 'nobody’s'],
        ['delivery', 'w2'],
      ] as const
      expect(await on.storage.dueQueues(lanes, 3)).toEqual([])
      expect(await on.storage.dueQueues(lanes, 4)).toEqual([['delivery', 'w2']])
      expect(new Set(await on.storage.dueQueues(lanes, 5))).toEqual(new Set([lanes[0], lanes[3]]))
      expect(await on.storage.dueQueues([], 5)).toEqual([])
      expect([await on.storage.countDue(...ask, 6, 10), await on.storage.countDue(...ask, 6, 2)]).toEqual([3, 2])
    })

    test('the oldest of a queue is one of those that are due first', async () => {
      expect(await on.storage.oldestWaiting('delivery', 'w1', 10)).toBeUndefined()
      const done = at('j0', 1, { done_at_ms: 8 })
      await commit({ rows: { job: [at('j1', 9), at('j2', 3), at('j3', 2), at('j4', 1, { lane: 'w2' }), done] } })
      const oldest = (max: number) => on.storage.oldestWaiting('delivery', 'w1', max)
      expect([await oldest(10), await oldest(2), await oldest(1)]).toEqual(['j1', 'j2', 'j3'])
    })

    test('that are dead-lettered are counted by kind, up to a bound', async () => {
      expect(await on.storage.countDeadLettered(10)).toEqual([])
      const parked = (id: string, kind: string) => at(id, 1, { kind, parked_at_ms: 7 })
      const rows = [parked('j1', 'delivery'), parked('j2', 'other'), parked('j3', 'delivery'), at('j4', 1)]
      await commit({ rows: { job: rows } })
      const counted = (await on.storage.countDeadLettered(10)).toSorted((a, b) => b.jobs - a.jobs)
      expect(counted).toEqual([
        { kind: 'delivery', jobs: 2 },
        { kind: 'other', jobs: 1 },
      ])
      expect((await on.storage.countDeadLettered(2)).reduce((sum, { jobs }) => sum + jobs, 0)).toBe(2)
    })

    test('that are dead-lettered or done are not due, and can be read', async () => {
      const parked = at('j2', 1, { parked_at_ms: 7, last_error: 'answered 410' })
      const done = at('j3', 1, { done_at_ms: 8 })
      await commit({ rows: { job: [at('j1', 1), parked, done] } })
      expect(await due(9)).toEqual(['j1'])
      expect(await on.storage.deadLetteredBefore('~', 10)).toEqual([parked])
      expect(await on.storage.doneJobsBelow('j9', 10)).toEqual([done])
      expect(await on.storage.oldestWaiting('delivery', 'w1', 10)).toBe('j1')
      expect(await on.storage.jobsBefore('delivery', 'w1', 'j3', 10)).toEqual([parked, at('j1', 1)])
    })

    test('are in delivery order by their places, then ids, while they wait and were not tried too often', async () => {
      const inLine = (id: string, line_place: number, changes = {}) => at(id, 1, { line: 'p1', line_place, ...changes })
      const first = async () => (await on.storage.firstInOrder('delivery', 'w1', 'p1', 3))?.id
      expect(await first()).toBeUndefined()
      const jobs = [inLine('j1', 5), inLine('j4', 2), inLine('j3', 3), inLine('j2', 3), inLine('j5', 1)]
      const others = [at('j6', 1), inLine('j7', 0, { lane: 'w2' }), inLine('j8', 0, { line: 'p2' })]
      await commit({ rows: { job: [...jobs, ...others] } })
      expect(await on.storage.firstInOrder('delivery', 'w1', 'p1', 3)).toEqual(inLine('j5', 1))
      await commit({ rows: { job: [inLine('j5', 1, { done_at_ms: 8 }), inLine('j4', 2, { parked_at_ms: 8 })] } })
      expect(await first()).toBe('j2')
      await commit({ rows: { job: [inLine('j2', 3, { attempts: 3 })] } })
      expect(await first()).toBe('j2')
      await commit({ rows: { job: [inLine('j2', 3, { attempts: 4 })] } })
      expect(await first()).toBe('j3')
    })

    test('change by a compare-and-set, which succeeds for one of two', async () => {
      const before = at('j1', 1)
      await commit({ rows: { job: [before] } })
      const race = [at('j1', 60, { attempts: 1 }), null].map((to) =>
        commit({ compareAndSets: [{ table: 'job' as const, from: before, to }] }),
      )
      expect(await Promise.all(race)).toEqual([committed, stale])
      expect(await on.storage.job('j1')).toEqual(at('j1', 60, { attempts: 1 }))
      await commit({ compareAndSets: [{ table: 'job', from: at('j1', 60, { attempts: 1 }), to: null }] })
      expect(await on.storage.job('j1')).toBeUndefined()
    })
  })

  describe('events', () => {
    test('are found by id, by merchant and range, and from the oldest on', async () => {
      const events = [event('e1'), event('e2', { merchant: 'another' }), event('e3'), event('e4')]
      await commit({ rows: { event: events } })
      expect(await on.storage.event('e2')).toEqual(events[1])
      expect(await on.storage.eventsBetween(event('').merchant, 'e1', 'e3', 9)).toEqual([events[0], events[2]])
      expect(await on.storage.eventsBelow('e3', 9)).toEqual(events.slice(0, 2))
    })

    test('and attempts are added once, and removed as they were', async () => {
      await commit({ rows: { event: [event('e1')], delivery_attempt: [deliveryAttempt(2), deliveryAttempt(1)] } })
      await expect(commit({ rows: { event: [event('e1')] } })).rejects.toMatchObject({ kind: 'constraint' })
      await expect(commit({ rows: { delivery_attempt: [deliveryAttempt(1)] } })).rejects.toMatchObject({
        kind: 'constraint',
      })
      expect(await on.storage.attemptsOf('j1')).toEqual([deliveryAttempt(1), deliveryAttempt(2)])
      await commit({
        compareAndSets: [
          { table: 'event', from: event('e1'), to: null },
          { table: 'delivery_attempt', from: deliveryAttempt(1), to: null },
        ],
      })
      expect([await on.storage.event('e1'), await on.storage.attemptsOf('j1')]).toEqual([
        undefined,
        [deliveryAttempt(2)],
      ])
    })
  })

  test('webhooks are listed, the deleted ones too, with the keys of all', async () => {
    const keys = [webhookKey('k1'), webhookKey('k2', { webhook_id: 'w2' })]
    await commit({ rows: { webhook: [webhook('w2'), webhook('w1')], webhook_key: keys } })
    expect(await on.storage.webhooks()).toEqual([webhook('w1'), webhook('w2')])
    await commit({ rows: { webhook: [webhook('w1', { deleted_at_ms: 1 })] } })
    const listed = [webhook('w1', { deleted_at_ms: 1 }), webhook('w2')]
    expect([await on.storage.webhooks(), await on.storage.webhookKeys()]).toEqual([listed, keys])
    const removal = { table: 'webhook_key' as const, from: webhookKey('k1'), to: null }
    expect(await commit({ compareAndSets: [removal] })).toEqual(committed)
    expect(await on.storage.webhookKeys()).toEqual(keys.slice(1))
    expect(await commit({ compareAndSets: [removal] })).toEqual({ kind: 'stale' })
  })

  test('schedules are found by id, chain and registration', async () => {
    const [first, next] = [schedule('s1', { active: 0 }), schedule('s2', { chain_id: 's1' })]
    const other = schedule('s3', { registration_id: 'r2' })
    await commit({ rows: { schedule: [first, next, other] } })
    expect(await on.storage.schedule('s2')).toEqual(next)
    expect(await on.storage.scheduleChain('s1', 9)).toEqual([first, next])
    expect(await on.storage.schedulesOf('r2', 9)).toEqual([other])
    const ended = schedule('s2', { chain_id: 's1', active: 0 })
    expect(await commit({ compareAndSets: [{ table: 'schedule', from: next, to: ended }] })).toEqual(committed)
    expect(await on.storage.schedule('s2')).toEqual(ended)
  })

  test('checkouts and sessions are found by id, changed, and removed after their time', async () => {
    const [fresh, old] = [checkout('c1'), checkout('c2', { expires_at_ms: 5 })]
    const [there, gone] = [session('v1'), session('v2', { forgotten_at_ms: 5 })]
    await commit({ rows: { checkout: [fresh, old], visit: [there, gone] } })
    expect([await on.storage.checkout('c1'), await on.storage.session('v1')]).toEqual([fresh, there])
    expect([await on.storage.checkoutsBefore(6, 9), await on.storage.sessionsBefore(6, 9)]).toEqual([[old], [gone]])
    expect([await on.storage.checkoutsBefore(5, 9), await on.storage.sessionsBefore(5, 9)]).toEqual([[], []])
    const paid = checkout('c1', { transaction_id: 'p1' })
    expect(await commit({ compareAndSets: [{ table: 'checkout', from: fresh, to: paid }] })).toEqual(committed)
    expect(await commit({ compareAndSets: [{ table: 'checkout', from: fresh, to: paid }] })).toEqual({
      kind: 'stale',
    })
    expect(await on.storage.checkout('c1')).toEqual(paid)
    const removal = { table: 'visit' as const, from: gone, to: null }
    expect(await commit({ compareAndSets: [removal] })).toEqual(committed)
    expect(await on.storage.session('v2')).toBeUndefined()
  })
})
