import { describe, expect, it } from 'vitest'
import { limits } from '../limits.ts'
import { retryAfterMs } from './retry-after.ts'

const nowMs = Date.UTC(1994, 10, 6, 8, 49, 7)
const max = limits.outgoing.retryAfterMsMax

describe('Retry-After', () => {
  it.each([
    ['0', 0],
    ['120', 120_000],
    ['86400', max],
    ['86401', max],
    ['999999999999999', max],
    ['Sun, 06 Nov 1994 08:49:37 GMT', 30_000],
    ['Sunday, 06-Nov-94 08:49:37 GMT', 30_000],
    ['Sun Nov  6 08:49:37 1994', 30_000],
    ['Sat, 05 Nov 1994 08:49:37 GMT', 0],
    ['Sun, 06 Nov 2094 08:49:37 GMT', max],
  ])('of %s is a delay of %d ms', (text, expected) => {
    expect(retryAfterMs(text, nowMs)).toBe(expected)
  })

  it.each([
    undefined,
    '',
    '-1',
    '1.5',
    '1e3',
    '0x10',
    ' 1',
    'soon',
    '9999999999999999',
    '1994-11-06T08:49:37Z',
    'Sun, 99 Nov 1994 08:49:37 GMT',
    'Sun, 06 Nov 1994 08:49:37 +0100',
    ['1', '2'],
  ])('of %s is ignored', (text) => {
    expect(retryAfterMs(text, nowMs)).toBe(undefined)
  })
})
