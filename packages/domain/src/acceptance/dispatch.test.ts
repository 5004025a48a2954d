import { InvariantError } from '@tollgate/contract'
import { expect, test } from 'vitest'
import { dispatch } from './dispatch.ts'

interface Settings {
  readonly enabled?: boolean
  readonly brands?: readonly string[]
  readonly currencies?: readonly string[]
}

const channel = (settings: Settings, index: number) => ({
  index,
  settings: {
    enabled: settings.enabled ?? true,
    brands: settings.brands && new Set(settings.brands),
    currencies: settings.currencies && new Set(settings.currencies),
  },
})

test.each<[name: string, channels: readonly Settings[], index: number]>([
  ['the first of two matching channels', [{}, {}], 0],
  ['the first channel with the brand', [{ brands: ['MASTER'] }, { brands: ['VISA'] }], 1],
  ['the first channel with the currency', [{ currencies: ['USD'] }, { currencies: ['USD', 'EUR'] }], 1],
  ['the channel that accepts both', [{ brands: ['VISA'], currencies: ['USD'] }, { currencies: ['EUR'] }], 1],
  ['an enabled channel', [{ enabled: false }, {}], 1],
  [
    'the first enabled channel if none matches',
    [{ enabled: false }, { brands: ['MASTER'] }, { currencies: ['USD'] }],
    1,
  ],
  ['the first of two disabled channels', [{ enabled: false }, { enabled: false }], 0],
])('a payment with VISA and EUR is dispatched to %s', (_name, settings, index) => {
  expect(dispatch(settings.map(channel), 'VISA', 'EUR').index).toBe(index)
})

test('an absent brand and currency match every channel', () => {
  const channels = [{ brands: ['MASTER'], currencies: ['USD'] }, {}].map(channel)
  expect(dispatch(channels, undefined, undefined).index).toBe(0)
})

test('a request without channels is a broken invariant', () => {
  expect(() => dispatch([], undefined, undefined)).toThrow(InvariantError)
})
