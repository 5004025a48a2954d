import { describe, expect, test } from 'vitest'
import { createRenderer } from './answer.ts'

const BUILD = `${'ab'.repeat(20)}@2026-05-04 03:02:01 +0000`
const render = createRenderer(BUILD, 'f'.repeat(32))
const mark = { requestId: '1'.repeat(32), atMs: Date.UTC(2026, 4, 4, 3, 2, 1, 7) }
const tail = {
  buildNumber: BUILD,
  timestamp: '2026-05-04 03:02:01.007+0000',
  ndc: `${'f'.repeat(32)}_${'1'.repeat(32)}`,
}

test('a body contains its own fields, except undefined ones, and the fields that every response has', () => {
  expect(JSON.parse(render.body({ id: 'x', amount: undefined }, mark))).toEqual({ id: 'x', ...tail })
})

test('further fields are inserted unchanged', () => {
  expect(JSON.parse(render.body({ id: 'x' }, mark, '{"a":{"b":"c"}}'))).toEqual({ id: 'x', a: { b: 'c' }, ...tail })
  expect(JSON.parse(render.body({ id: 'x' }, mark, '{}'))).toEqual({ id: 'x', ...tail })
  expect(JSON.parse(render.body({ id: 'x' }, mark, '{"b":1}', '{}', '{"c":2}'))).toEqual({
    id: 'x',
    b: 1,
    c: 2,
    ...tail,
  })
})

test('the timestamp of a body is the time of its request', () => {
  const stamps = [0, 1, 0, mark.atMs].map((atMs) => JSON.parse(render.body({ id: 'x' }, { ...mark, atMs })).timestamp)
  expect(stamps).toEqual([
    '1970-01-01 00:00:00.000+0000',
    '1970-01-01 00:00:00.001+0000',
    '1970-01-01 00:00:00.000+0000',
    tail.timestamp,
  ])
})

describe('a refusal', () => {
  test('has the id of its request and the description of the result code', () => {
    const { status, code, body } = render.refusal(404, '700.400.580', mark)
    expect([status, code]).toEqual([404, '700.400.580'])
    expect(JSON.parse(body)).toEqual({
      id: mark.requestId,
      result: { code: '700.400.580', description: 'cannot find transaction' },
      ...tail,
    })
  })

  test('can have a description of its own, parameter errors and a reason', () => {
    const parameterErrors = [{ name: 'amount', value: 'x', message: 'must match' }]
    const { body } = render.refusal(400, '200.300.404', mark, { description: 'Words', parameterErrors, reason: 'why' })
    expect(JSON.parse(body)).toMatchObject({
      result: { code: '200.300.404', description: 'Words', parameterErrors },
      resultDetails: { ExtendedDescription: 'why' },
    })
  })
})
