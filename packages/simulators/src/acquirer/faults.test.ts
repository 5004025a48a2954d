import { expect, test } from 'vitest'
import { type AcquirerFault, createFaultSwitch, parseFaults } from './faults.ts'

const fault = (more: Partial<AcquirerFault>): AcquirerFault => ({
  knob: 'close',
  value: 0,
  types: [],
  seed: 1,
  ...more,
})

test.each([
  ['every message', {}, 'xxxxxx'],
  ['the next two', { next: 2 }, 'xx....'],
  ['every third', { every: 3 }, '..x..x'],
  ['the next one of a type', { next: 1, types: ['0200'] }, '.x....'],
  ['every second of a type', { every: 2, types: ['0200'] }, '...x..'],
] as const)('a fault applies to %s', (_name, more, expected) => {
  const faults = createFaultSwitch()
  faults.replace([fault(more)])
  const types = ['0100', '0200', '0100', '0200', '0100', '0200']
  expect(types.map((type) => (faults.take(type).has('close') ? 'x' : '.')).join('')).toBe(expected)
  const [{ applied } = { applied: 0 }] = faults.list()
  expect(applied).toBe(expected.replaceAll('.', '').length)
})

test('several faults apply to one message, and a replacement starts the counts again', () => {
  const faults = createFaultSwitch()
  const list = [fault({ next: 1 }), fault({ knob: 'latencyMs', value: 5 })]
  faults.replace(list)
  expect([...faults.take('0100').keys()]).toEqual(['close', 'latencyMs'])
  expect([...faults.take('0100').keys()]).toEqual(['latencyMs'])
  faults.replace(list)
  expect([...faults.take('0100').keys()]).toEqual(['close', 'latencyMs'])
})

test('each application of a fault has a seed of its own', () => {
  const faults = createFaultSwitch()
  faults.replace([fault({ seed: 40 })])
  expect([1, 2, 3].map(() => faults.take('0100').get('close')?.seed)).toEqual([40, 41, 42])
})

test.each([
  ['[]', []],
  ['[{"knob":"close"}]', [fault({})]],
  ['[{"knob":"garble"}]', [fault({ knob: 'garble', value: 1 })]],
  [
    '[{"knob":"lateMs","value":500,"types":["0100","0421"],"next":3,"seed":9}]',
    [fault({ knob: 'lateMs', value: 500, types: ['0100', '0421'], next: 3, seed: 9 })],
  ],
  ['[{"knob":"close","every":2}]', [fault({ every: 2 })]],
])('%s is read', (text, faults) => {
  expect(parseFaults(text)).toEqual({ faults })
})

test.each([
  ['', 'the body must be JSON'],
  ['{}', 'the body must be a list of at most 50 faults'],
  [
    JSON.stringify(Array.from({ length: 51 }, () => ({ knob: 'close' }))),
    'the body must be a list of at most 50 faults',
  ],
  ['[1]', 'fault 0: knob must be one of dropRequest, '],
  ['[{"knob":"constructor"}]', 'fault 0: knob must be one of dropRequest, '],
  ['[{"knob":"close"},{"knob":"close","times":1}]', 'fault 1: times is not known; use knob, value, types, next, '],
  ['[{"knob":"close","value":1}]', 'fault 0: value must be absent'],
  ['[{"knob":"lateMs"}]', 'fault 0: value must be from 1 to 600000'],
  ['[{"knob":"lateMs","value":600001}]', 'fault 0: value must be from 1 to 600000'],
  ['[{"knob":"lateMs","value":"5"}]', 'fault 0: value must be from 1 to 600000'],
  ['[{"knob":"close","types":["0110"]}]', 'fault 0: types must be a list of message types'],
  ['[{"knob":"close","types":"0100"}]', 'fault 0: types must be a list of message types'],
  ['[{"knob":"close","next":1,"every":1}]', 'fault 0: next and every exclude each other'],
  ['[{"knob":"close","next":0}]', 'fault 0: next, every and seed must be from 1 to 1000000'],
  ['[{"knob":"close","seed":1.5}]', 'fault 0: next, every and seed must be from 1 to 1000000'],
])('%s is refused', (text, problem) => {
  expect(parseFaults(text)).toEqual({ problem: expect.stringContaining(problem) })
})
