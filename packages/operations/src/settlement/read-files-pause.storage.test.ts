import type { TestGateway } from '@tollgate/gateway/testing'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { limits } from '../limits.ts'
import { clearedGateway } from '../testing/cleared-connector.ts'
import { testLoop } from '../testing/loop-times.ts'
import { settlementFileOf, settlementRowOf } from '../testing/settlement-files.ts'
import { readFiles } from './read-files.task.ts'

let tollgate: TestGateway
beforeEach(async () => {
  tollgate = await clearedGateway()
})
afterEach(() => tollgate.close())

test.each([
  [
    'beside payments, few, with a pause that grows with the load',
    1_000,
    [25, 25, 10],
    3 * limits.settlementBusyPauseMs,
  ],
  ['without payments, many, without a pause', 0, [60], 0],
])('rows that a step stores: %s', async (_name, paidUnits, expected, pauseMs) => {
  const rows = Array.from({ length: 60 }, (_, index) => settlementRowOf({ connectorTxId1: `R${index}` }))
  await tollgate.manage('POST', '/settlement-files?name=a.csv', settlementFileOf(rows))
  const { storage, commands } = tollgate.gateway
  const eventLoop = testLoop()
  const stored: number[] = []
  let units = 0
  const watched: typeof storage = {
    ...storage,
    commit(unit) {
      const { settlement_row: added } = unit.rows
      if (added) stored.push(added.length)
      return storage.commit(unit)
    },
  }
  const task = readFiles({
    ...tollgate.gateway,
    storage: watched,
    commands: { ...commands, units: () => units },
    eventLoop,
  })
  const pauses: number[] = []
  do {
    eventLoop.pass(1000, 0.75)
    units += paidUnits
    pauses.push(task.pauseMs)
  } while ((await task.step()) === 'more')
  expect(stored).toEqual(expected)
  expect(pauses.at(-1)).toBe(pauseMs)
})

test('a file that arrives beside payments is read in short steps from the first one on', async () => {
  const eventLoop = testLoop()
  let units = 0
  const commands = { ...tollgate.gateway.commands, units: () => units }
  const task = readFiles({ ...tollgate.gateway, commands, eventLoop })
  const pauseAfter = async (paidUnits: number) => {
    eventLoop.pass(1000)
    units += paidUnits
    expect(await task.step()).toBe('done')
    return task.pauseMs
  }
  expect(await pauseAfter(0)).toBe(0)
  expect(await pauseAfter(2 * limits.busyUnitsPerSecond)).toBe(limits.settlementBusyPauseMs)
})
