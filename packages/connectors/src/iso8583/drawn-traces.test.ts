import { expect, test } from 'vitest'
import { createDrawnTraces } from './drawn-traces.ts'
import { limits } from './requests/limits.ts'
import { stanOf, type Trace } from './trace.ts'

const trace = (number: number): Trace => ({ terminalId: 'TERM0001', stan: stanOf(number), atMs: 0 })

test('a trace is returned once, by the text of its references', () => {
  const traces = createDrawnTraces()
  traces.add('first', trace(1))
  traces.add('second', trace(2))
  expect(traces.take('first')).toEqual(trace(1))
  expect(traces.take('first')).toBeUndefined()
  expect(traces.take('second')).toEqual(trace(2))
  expect(traces.take('third')).toBeUndefined()
})

test('the oldest traces make room for new ones', () => {
  const traces = createDrawnTraces()
  for (let number = 0; number <= limits.drawnTracesMax; number++) traces.add(String(number), trace(number))
  expect(traces.take('0')).toBeUndefined()
  expect(traces.take('1')).toEqual(trace(1))
  expect(traces.take(String(limits.drawnTracesMax))).toEqual(trace(limits.drawnTracesMax))
})
