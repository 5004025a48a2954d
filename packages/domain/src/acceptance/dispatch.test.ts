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

test.each<[what: string, channels: readonly Settings[], index: number]>([
  ['the first of two that fit', [{}, {}], 0],
  ['the first that takes the brand', [{ brands: ['MASTER'] }, { brands: ['VISA'] }], 1],
  ['the first that takes the currency', [{ currencies: ['USD'] }, { currencies: ['USD', 'EUR'] }], 1],
  ['one that takes both', [{ brands: ['VISA'], currencies: ['USD'] }, { currencies: ['EUR'] }], 1],
  ['an enabled one', [{ enabled: false }, {}], 1],
  ['an enabled one, though none fits', [{ enabled: false }, { brands: ['MASTER'] }, { currencies: ['USD'] }], 1],
  ['the first of disabled ones', [{ enabled: false }, { enabled: false }], 0],
])('dispatch of VISA and EUR to %s', (_what, settings, index) => {
  expect(dispatch(settings.map(channel), 'VISA', 'EUR').index).toBe(index)
})

test('an unknown brand and currency fit every channel', () => {
  const channels = [{ brands: ['MASTER'], currencies: ['USD'] }, {}].map(channel)
  expect(dispatch(channels, undefined, undefined).index).toBe(0)
  expect(() => dispatch([], undefined, undefined)).toThrow(InvariantError)
})
