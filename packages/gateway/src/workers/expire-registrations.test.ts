import { afterAll, expect, test } from 'vitest'
import { limits } from '../limits.ts'
import { cardAlone, testGateway } from '../testing/test-gateway.ts'
import { expireRegistrations } from './expire-registrations.ts'

const tollgate = await testGateway()
afterAll(() => tollgate.close())
const { send, gateway } = tollgate

const register = async (): Promise<string> => (await send('POST', '/v1/registrations', cardAlone())).body.id
const isKept = async (id: string) => (await gateway.storage.account(id))?.sealed !== null

test('what has expired is ended in bounded steps', async () => {
  const ids = []
  while (ids.length < limits.expiryPageRows + 5) ids.push(await register())
  const work = expireRegistrations(gateway)
  expect([await work.step(), await isKept(ids[0] ?? '')]).toEqual(['done', true])
  tollgate.clock.nowMs = Date.UTC(2035, 7, 2)
  expect([await work.step(), await work.step(), await work.step()]).toEqual(['more', 'done', 'done'])
  expect(await Promise.all(ids.map(isKept))).toEqual(ids.map(() => false))
})

test('one that is changed at the same time is met on the next round', async () => {
  tollgate.clock.nowMs = Date.UTC(2026, 0)
  const id = await register()
  tollgate.clock.nowMs = Date.UTC(2035, 7, 2)
  const { storage } = gateway
  let isOvertaken = false
  const work = expireRegistrations({
    ...gateway,
    storage: {
      ...storage,
      async commit(unit) {
        if (!isOvertaken) await storage.commit({ ...unit, id: 'u', rows: {}, swaps: [] })
        isOvertaken = true
        return storage.commit(unit)
      },
    },
  })
  await work.step()
  expect([isOvertaken, await isKept(id)]).toEqual([true, true])
  await work.step()
  expect(await isKept(id)).toBe(false)
})
