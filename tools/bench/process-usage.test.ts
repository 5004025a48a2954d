import { expect, test } from 'vitest'
import { cpuMsIn, cpuPerAnswer, medianCpu, totalUs, usageOf } from './process-usage.ts'

const usage = (threads: Readonly<Record<string, number>>) => ({
  residentBytes: 0,
  residentPeakBytes: 0,
  threadsMs: new Map(Object.entries(threads).map(([thread, ms]) => [Number(thread), ms])),
  pid: 7,
})

test('the processor time of a thread is the first field of its schedstat', () => {
  expect(cpuMsIn('12345678 4000 5\n')).toBe(12.345678)
  expect(cpuMsIn('0 4000 5\n')).toBe(0)
})

test.each(['0 0 0\n', '', 'x 1 1'])('a schedstat without times is an error: %j', (text) => {
  expect(() => cpuMsIn(text)).toThrow('does not measure')
})

test('the time of an answer is that of the main thread and of the others, the busiest first', () => {
  const cpu = cpuPerAnswer(usage({ 7: 10, 8: 1, 9: 5 }), usage({ 7: 30, 8: 5, 9: 13, 10: 2, 11: 1 }), 1000)
  expect(cpu).toEqual({ mainUs: 20, othersUs: 15, busiestUs: [8, 4, 2] })
  expect(cpu && totalUs(cpu)).toBe(35)
})

test('without a reading there is no time', () => {
  expect(cpuPerAnswer(undefined, usage({ 7: 1 }), 1)).toBeNull()
  expect(medianCpu([null, { mainUs: 1, othersUs: 1, busiestUs: [1] }])).toBeNull()
  expect(usageOf(-1)).toBeUndefined()
})

test('the medians of measurements are taken by rank of the thread', () => {
  const cpu = (mainUs: number, busiestUs: readonly number[]) => ({ mainUs, othersUs: 10 * mainUs, busiestUs })
  expect(medianCpu([cpu(1, [9, 2]), cpu(3, [7, 4, 1]), cpu(2, [8, 3, 1])])).toEqual({
    mainUs: 2,
    othersUs: 20,
    busiestUs: [8, 3, 1],
  })
})
