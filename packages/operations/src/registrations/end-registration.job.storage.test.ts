import { afterAll, beforeEach, expect, test } from 'vitest'
import { cardWithoutPayment, testGateway } from '@tollgate/gateway/testing'
import { endRegistrations } from './end-registration.job.ts'

const tollgate = await testGateway()
afterAll(() => tollgate.close())
const { send, gateway, clock } = tollgate
const { storage, jobs } = gateway
beforeEach(() => void (clock.nowMs = Date.UTC(2026, 4, 4)))

const register = async (): Promise<string> => (await send('POST', '/v1/registrations', cardWithoutPayment())).body.id
const hasNumber = async (id: string) => (await storage.account(id))?.sealed !== null
const AFTER_EXPIRY = Date.UTC(2035, 7, 2)

test('registrations and their timers end after the expiry', async () => {
  const ids = [await register(), await register()]
  expect((await jobs.fastForward(clock.nowMs)).entries).toEqual([])
  clock.nowMs = AFTER_EXPIRY
  const { entries, isComplete } = await jobs.fastForward(AFTER_EXPIRY)
  expect([isComplete, entries.map(({ kind, outcome }) => `${kind}: ${outcome}`)]).toEqual([
    true,
    ids.map(() => 'end-registration: ended'),
  ])
  expect(entries.map(({ subjectId }) => subjectId).toSorted()).toEqual(ids.toSorted())
  expect(await Promise.all(ids.map(hasNumber))).toEqual([false, false])
  expect(await Promise.all(ids.map((id) => storage.job(id)))).toEqual([undefined, undefined])
})

test('the timer of a deregistered registration creates no second DR', async () => {
  const id = await register()
  await send('DELETE', `/v1/registrations/${id}`)
  clock.nowMs = AFTER_EXPIRY
  expect((await jobs.fastForward(AFTER_EXPIRY)).entries).toMatchObject([{ subjectId: id, outcome: 'had ended' }])
  expect((await storage.treeOf(id))?.transactions.map(({ type }) => type)).toEqual(['RG', 'DR'])
})

test('a registration that is changed concurrently ends when its timer runs again', async () => {
  const id = await register()
  clock.nowMs = AFTER_EXPIRY
  let concurrentChanges = 0
  const jobWithConflict = endRegistrations({
    ...gateway,
    storage: {
      ...storage,
      async commit(unit) {
        if (concurrentChanges === 0) await storage.commit({ ...unit, id: 'u', rows: {}, compareAndSets: [] })
        concurrentChanges += 1
        return storage.commit(unit)
      },
    },
  })
  const outcomes = []
  for (const _ of [1, 2]) {
    const timer = await storage.job(id)
    if (timer) outcomes.push(await jobWithConflict.run(timer, new AbortController().signal))
  }
  expect(outcomes).toEqual(['changed concurrently', 'ended'])
  expect([await hasNumber(id), await storage.job(id)]).toEqual([false, undefined])
})
