import { DAY_MS, HOUR_MS } from '@tollgate/contract'
import { memoryDisk, openMemory, type Storage, StorageError, type TerminalRow } from '@tollgate/storage'
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { createIds } from '../ids.ts'
import { limits } from '../limits.ts'
import { createTraceNumbers, type TraceNumber, type TraceNumbers } from './trace-numbers.ts'

const START_MS = Date.UTC(2026, 4, 4, 3, 2, 1)
const START_DAY = Math.floor(START_MS / DAY_MS)

/** Processes on one storage. Each has its own lease, and the clock of all processes is `clock`. */
function createProcesses(terminalIds: readonly string[] = ['T1', 'T2'], storage: Storage = openMemory(memoryDisk())) {
  const clock = { nowMs: START_MS, now: () => clock.nowMs }
  let processes = 0
  /** @param aheadMs how far the clock of the process is ahead of `clock` */
  const startReleasable = (aheadMs = 0, own: Storage = storage, holder = `process-${++processes}`): TraceNumbers => {
    const clockOfProcess = { now: () => clock.nowMs + aheadMs }
    const context = { storage: own, clock: clockOfProcess, ids: createIds(clockOfProcess) }
    return createTraceNumbers(context, { connector: 'external', terminalIds, holder })
  }
  const start = (aheadMs?: number, own?: Storage): TraceNumbers['draw'] => startReleasable(aheadMs, own).draw
  const addRow = async (row: Partial<TerminalRow> & { readonly id: string }): Promise<void> => {
    const unused = { held_by: null, held_until_ms: 0, day: 0, next_trace: 1 }
    await storage.commit({ id: `add ${row.id}`, expectedVersions: [], rows: { terminal: [{ ...unused, ...row }] } })
  }
  return { storage, clock, start, startReleasable, addRow }
}

const draws = (draw: () => Promise<TraceNumber | undefined>, count: number) =>
  Promise.all(Array.from({ length: count }, draw))

const nameOf = (drawn: TraceNumber | undefined): string | undefined => drawn && `${drawn.terminalId} ${drawn.number}`

test('the numbers of a process begin at 1, ascend on one terminal, and have the time of their draw', async () => {
  const { clock, start } = createProcesses()
  const draw = start()
  expect(await draw()).toEqual({ terminalId: 'T1', number: 1, atMs: START_MS })
  clock.nowMs += 5
  expect(await draw()).toEqual({ terminalId: 'T1', number: 2, atMs: START_MS + 5 })
})

test('a number is unique for its terminal and day, whatever processes draw, stop and wait meanwhile', async () => {
  const step = fc.oneof(
    { weight: 6, arbitrary: fc.record({ draws: fc.constantFrom(1, 2, 700, 1_100), by: fc.nat(2) }) },
    {
      weight: 4,
      arbitrary: fc.record({ draws: fc.constantFrom(1, 15, 30), by: fc.nat(2), of: fc.constantFrom('T1', 'T2') }),
    },
    { weight: 3, arbitrary: fc.record({ waitMs: fc.constantFrom(1, 29_999, 60_000, 90_001, DAY_MS / 2, DAY_MS) }) },
    { weight: 1, arbitrary: fc.record({ restart: fc.nat(2), releases: fc.boolean() }) },
  )
  const skews = fc.array(fc.integer({ min: 0, max: limits.terminalTakeOverMs - 1 }), { minLength: 3, maxLength: 3 })
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.constantFrom(['T1'], ['T1', 'T2'], ['T1', 'T2', 'T3', 'T4']),
      skews,
      fc.array(step, { minLength: 1, maxLength: 12 }),
      async (scheduler, terminalIds, aheadMs, steps) => {
        const { storage, clock, startReleasable } = createProcesses(terminalIds)
        // The reads and commits of the processes take effect in any order.
        const slow: Storage = {
          ...storage,
          terminals: () => scheduler.schedule(Promise.resolve()).then(() => storage.terminals()),
          commit: (unit) => scheduler.schedule(Promise.resolve()).then(() => storage.commit(unit)),
        }
        const processes = aheadMs.map((ms) => startReleasable(ms, slow))
        const releases: Promise<void>[] = []
        const waiting: Promise<TraceNumber | undefined>[] = []
        for (const one of steps) {
          if ('waitMs' in one) clock.nowMs += one.waitMs
          else if ('restart' in one) {
            if (one.releases) releases.push(processes[one.restart]?.release() ?? Promise.resolve())
            processes[one.restart] = startReleasable(aheadMs[one.restart], slow)
          } else {
            const of = 'of' in one ? one.of : undefined
            for (let i = 0; i < one.draws; i += 1)
              waiting.push(processes[one.by]?.draw(of) ?? Promise.resolve(undefined))
          }
          if (scheduler.count() > 0) await scheduler.waitOne()
        }
        await scheduler.waitFor(Promise.all([...waiting, ...releases]))
        const drawn = (await Promise.all(waiting)).filter((number) => number !== undefined)
        const names = drawn.map(
          ({ terminalId, number, atMs }) => `${terminalId} ${number} ${Math.floor(atMs / DAY_MS)}`,
        )
        expect(new Set(names).size).toBe(names.length)
        expect(drawn.every(({ number }) => number >= 1 && number <= 999_999)).toBe(true)
      },
    ),
    { numRuns: 150 },
  )
})

test('a number is unique for the day among all ids of an account, while none draws more than its share', async () => {
  const step = fc.oneof(
    { weight: 6, arbitrary: fc.record({ draws: fc.constantFrom(1, 20, 700), by: fc.nat(1) }) },
    { weight: 3, arbitrary: fc.record({ draws: fc.constantFrom(1, 25), by: fc.nat(1), of: fc.nat(30) }) },
    { weight: 2, arbitrary: fc.record({ waitMs: fc.constantFrom(1, 90_001, HOUR_MS, DAY_MS / 2, DAY_MS) }) },
    { weight: 2, arbitrary: fc.record({ restart: fc.nat(1), releases: fc.boolean() }) },
  )
  let terminalsUsed = 0
  await fc.assert(
    // A case has at most 12 steps, with which an id uses up 12,000 numbers: less than the share of one of 30 ids.
    fc.asyncProperty(fc.integer({ min: 1, max: 30 }), fc.array(step, { maxLength: 12 }), async (count, steps) => {
      const terminalIds = Array.from({ length: count }, (_, index) => `T${index}`)
      const { clock, startReleasable } = createProcesses(terminalIds)
      const processes = [startReleasable(), startReleasable()]
      const drawn: (TraceNumber | undefined)[] = []
      for (const one of steps) {
        if ('waitMs' in one) clock.nowMs += one.waitMs
        else if ('restart' in one) {
          if (one.releases) await processes[one.restart]?.release()
          processes[one.restart] = startReleasable()
        } else {
          const of = 'of' in one ? `T${one.of % count}` : undefined
          const process = processes[one.by]
          if (process) drawn.push(...(await draws(() => process.draw(of), one.draws)))
        }
      }
      const numbers = drawn.filter((number) => number !== undefined)
      const ofDays = numbers.map(({ number, atMs }) => `${Math.floor(atMs / DAY_MS)} ${number}`)
      expect(new Set(ofDays).size).toBe(numbers.length)
      terminalsUsed = Math.max(terminalsUsed, new Set(numbers.map(({ terminalId }) => terminalId)).size)
    }),
    { numRuns: 200 },
  )
  expect(terminalsUsed).toBeGreaterThan(3)
})

describe('the numbers of a day', () => {
  test.each([
    ['begin at a third of the range for the second of two ids', 1, 'T2 333334', 'T2 333335'],
    ['continue at 1 after the highest', 666_666, 'T2 999999', 'T2 1'],
    ['end at the number before the first one', 999_999, 'T2 333333', undefined],
  ])('%s', async (_, position, first, second) => {
    const { start, addRow } = createProcesses()
    await addRow({ id: 'external/T1', held_by: 'another', held_until_ms: START_MS + DAY_MS })
    await addRow({ id: 'external/T2', day: START_DAY, next_trace: 333_333_000_000 + position })
    const draw = start()
    expect([nameOf(await draw()), nameOf(await draw())]).toEqual([first, second])
  })

  test('go on when the ids of the account change, and begin elsewhere on the next day', async () => {
    const { storage, clock, startReleasable } = createProcesses()
    const before = startReleasable()
    await startReleasable().draw()
    expect(nameOf(await before.draw())).toBe('T2 333334')
    await before.release()
    const context = { storage, clock, ids: createIds(clock) }
    const changed = { connector: 'external', terminalIds: ['T2', 'T3', 'T4'], holder: 'changed' }
    const { draw } = createTraceNumbers(context, changed)
    expect([nameOf(await draw()), nameOf(await draw('T3'))]).toEqual(['T2 333335', 'T3 250000'])
    clock.nowMs += DAY_MS
    expect([nameOf(await draw()), nameOf(await draw('T1'))]).toEqual(['T2 1', 'T1 749998'])
  })
})

describe('a process that stops', () => {
  test('releases its terminal, and the next one takes it at once with the unused numbers', async () => {
    const { storage, start, startReleasable } = createProcesses(['T1'])
    const first = startReleasable()
    await draws(first.draw, 3)
    const blocked = start()
    expect(await blocked()).toBeUndefined()
    await first.release()
    expect(await storage.terminals()).toMatchObject([{ held_by: null, held_until_ms: 0, next_trace: 4 }])
    expect(nameOf(await blocked())).toBe('T1 4')
    expect(await first.draw()).toBeUndefined()
  })

  test('releases nothing if it has drawn no number, or another process has taken over its terminal', async () => {
    const { storage, clock, start, startReleasable } = createProcesses(['T1'])
    const first = startReleasable()
    await startReleasable().release()
    await first.draw()
    clock.nowMs += limits.terminalLeaseMs + limits.terminalTakeOverMs
    await start()()
    const rows = await storage.terminals()
    await first.release()
    expect(await storage.terminals()).toEqual(rows)
  })

  test('leaves the lease to a connector of the process that has replaced its own', async () => {
    const { storage, startReleasable } = createProcesses(['T1'])
    const [replaced, next] = [startReleasable(0, storage, 'p'), startReleasable(0, storage, 'p')]
    await replaced.draw()
    await next.draw()
    await replaced.release()
    expect(await storage.terminals()).toMatchObject([{ held_by: 'p' }])
    expect(nameOf(await next.draw())).toBe('T1 1002')
  })

  test('releases the terminal of a draw in progress, whose number is not drawn', async () => {
    const { storage, startReleasable } = createProcesses(['T1'])
    const { draw, release } = startReleasable()
    const drawn = draw()
    await release()
    const [row] = await storage.terminals()
    expect([(await drawn)?.number ?? 1, row?.held_by ?? null]).toEqual([1, null])
  })
})

describe('another process', () => {
  test('takes another terminal', async () => {
    const { start } = createProcesses()
    const [first, second] = [start(), start()]
    expect([nameOf(await first()), nameOf(await second()), nameOf(await first())]).toEqual([
      'T1 1',
      'T2 333334',
      'T1 2',
    ])
  })

  const heldMs = limits.terminalLeaseMs + limits.terminalTakeOverMs
  test.each([
    ['during the lease', limits.terminalLeaseMs - 1, undefined],
    ['while the clocks may differ', heldMs - 1, undefined],
    ['after lease and difference of the clocks', heldMs, 'T1 1001'],
  ])('takes over a terminal %s: %i ms after its lease began', async (_, afterMs, expected) => {
    const { clock, start } = createProcesses(['T1'])
    await start()()
    clock.nowMs += afterMs
    expect(nameOf(await start()())).toBe(expected)
  })

  test('skips the unused numbers of the process before it, which may still be drawn', async () => {
    const { clock, start } = createProcesses(['T1'])
    const first = start()
    await draws(first, 3)
    clock.nowMs += heldMs
    const second = start()
    expect([nameOf(await second()), nameOf(await second())]).toEqual(['T1 1001', 'T1 1002'])
    expect(await first()).toBeUndefined()
    clock.nowMs += heldMs
    expect(nameOf(await first())).toBe('T1 2001')
  })

  test('ends the block of a process that does not draw meanwhile', async () => {
    const { clock, start } = createProcesses(['T1'])
    const first = start()
    await first()
    clock.nowMs += heldMs
    await start()()
    clock.nowMs += heldMs
    expect(nameOf(await first())).toBe('T1 2001')
  })
})

describe('a process', () => {
  it('goes on with its block when it renews its lease, so that rare payments do not use up the numbers', async () => {
    const { clock, start, storage } = createProcesses(['T1'])
    const draw = start()
    for (let number = 1; number <= 3; number += 1) {
      expect(nameOf(await draw())).toBe(`T1 ${number}`)
      clock.nowMs += limits.terminalLeaseMs
    }
    expect(await storage.terminals()).toMatchObject([{ next_trace: 1 + limits.traceBlock, held_until_ms: clock.nowMs }])
  })

  it('goes on with the last block of a day too', async () => {
    const { clock, start, addRow } = createProcesses(['T1'])
    await addRow({ id: 'external/T1', day: START_DAY, next_trace: 999_998 })
    const draw = start()
    expect(nameOf(await draw())).toBe('T1 999998')
    clock.nowMs += limits.terminalLeaseMs
    expect([nameOf(await draw()), await draw()]).toEqual(['T1 999999', undefined])
  })

  it('prefers its own terminal to a free one', async () => {
    const { clock, start } = createProcesses()
    const [first, second] = [start(), start()]
    await first()
    await second()
    clock.nowMs += 2 * limits.terminalLeaseMs
    expect(nameOf(await second())).toBe('T2 333335')
  })

  it('begins at 1 on a new day, also within a lease', async () => {
    const { clock, start } = createProcesses()
    const draw = start()
    clock.nowMs = (START_DAY + 1) * DAY_MS - 1
    await draws(draw, 2)
    clock.nowMs += 1
    expect(nameOf(await draw())).toBe('T1 1')
    expect(nameOf(await draw())).toBe('T1 2')
  })

  it('reserves a block after the other, and draws of one moment share them', async () => {
    const { start } = createProcesses(['T1'])
    const count = limits.traceTriesMax * limits.traceBlock
    const drawn = await draws(start(), count)
    expect(new Set(drawn.map(nameOf)).size).toBe(count)
    expect(drawn.map((one) => one?.number ?? 0).reduce((a, b) => Math.max(a, b))).toBe(count)
  })
})

describe('a number of a terminal that another process leases', () => {
  test('is reserved without its lease, and the other process goes on with its block', async () => {
    const { start, storage, clock } = createProcesses()
    const [first, second] = [start(), start()]
    expect([nameOf(await first()), nameOf(await second())]).toEqual(['T1 1', 'T2 333334'])
    const [before] = await storage.terminals()
    expect([nameOf(await second('T1')), nameOf(await second('T1'))]).toEqual(['T1 1001', 'T1 1002'])
    expect(await storage.terminals()).toMatchObject([{ ...before, next_trace: 1021 }, {}])
    clock.nowMs += limits.terminalLeaseMs
    expect(nameOf(await first())).toBe('T1 2')
    expect(await storage.terminals()).toMatchObject([{ next_trace: 1021, held_until_ms: clock.nowMs + 60_000 }, {}])
    expect(nameOf(await second())).toBe('T2 333335')
  })

  test('is one of the block of the process, if this is its own terminal', async () => {
    const { start } = createProcesses()
    const draw = start()
    expect([nameOf(await draw()), nameOf(await draw('T1')), nameOf(await draw())]).toEqual(['T1 1', 'T1 2', 'T1 3'])
  })

  test('is drawn also of a terminal that the account no longer has, or without a row', async () => {
    const { start, addRow } = createProcesses(['T1'])
    await addRow({ id: 'external/T8', day: START_DAY, next_trace: 7 })
    const draw = start()
    expect([nameOf(await draw('T8')), nameOf(await draw('T9'))]).toEqual(['T8 7', 'T9 500000'])
  })

  test('begins at 1 on a new day, and is not drawn if a process is on the next day already', async () => {
    const { start, clock } = createProcesses(['T1'])
    const [first, ahead] = [start(), start(2)]
    clock.nowMs = (START_DAY + 1) * DAY_MS - 2
    expect(nameOf(await first('T1'))).toBe('T1 1')
    expect(nameOf(await ahead('T1'))).toBe('T1 1')
    const behind = start()
    expect([await behind('T1'), await behind()]).toEqual([undefined, undefined])
    clock.nowMs += 2
    expect([nameOf(await first('T1')), nameOf(await behind('T1'))]).toEqual(['T1 21', 'T1 41'])
  })

  test('continues today if the stored day is further ahead, because a clock was wrong', async () => {
    const { start, addRow, clock } = createProcesses(['T1'])
    await addRow({ id: 'external/T1', day: START_DAY + 400, next_trace: 7 })
    const draw = start()
    expect([nameOf(await draw('T1')), nameOf(await draw())]).toEqual(['T1 7', 'T1 27'])
    clock.nowMs += DAY_MS
    expect(nameOf(await draw())).toBe('T1 1')
  })

  test('is not drawn after the last one of a day, nor after the release', async () => {
    const { startReleasable, addRow } = createProcesses()
    await addRow({ id: 'external/T1', day: START_DAY, next_trace: 999_999 })
    const { draw, release } = startReleasable()
    expect([nameOf(await draw('T1')), await draw('T1')]).toEqual(['T1 999999', undefined])
    await release()
    expect(await draw('T2')).toBeUndefined()
  })
})

describe('no number is drawn', () => {
  test('if the numbers of the day are used up on every terminal', async () => {
    const { clock, start, addRow } = createProcesses()
    await addRow({ id: 'external/T1', day: START_DAY, next_trace: 1_000_000 })
    await addRow({ id: 'external/T2', day: START_DAY, next_trace: 999_999 })
    const draw = start()
    expect([nameOf(await draw()), await draw()]).toEqual(['T2 999999', undefined])
    clock.nowMs += DAY_MS
    expect(nameOf(await draw())).toBe('T2 333334')
  })

  test('if other processes lease all terminals', async () => {
    const { start } = createProcesses()
    await start()()
    await start()()
    expect(await start()()).toBeUndefined()
  })

  test('of a terminal that the acquirer has not assigned to this account', async () => {
    const { start, addRow } = createProcesses(['T1'])
    await addRow({ id: 'external/T0' })
    await addRow({ id: 'other/T1', day: START_DAY, next_trace: 7 })
    expect(nameOf(await start()())).toBe('T1 1')
  })

  test('if the storage fails, whose error is not hidden', async () => {
    const { start, storage } = createProcesses()
    const commit = async () => Promise.reject(new StorageError('full', 'no space left'))
    await expect(start(0, { ...storage, commit })()).rejects.toThrow('no space left')
  })
})

test('processes that start for the first time at once add each terminal once', async () => {
  const { start, storage } = createProcesses()
  const drawn = await Promise.all([start()(), start()(), start()()])
  expect(new Set(drawn.map(nameOf))).toEqual(new Set(['T1 1', 'T2 333334', undefined]))
  expect((await storage.terminals()).map(({ id }) => id)).toEqual(['external/T1', 'external/T2'])
})
