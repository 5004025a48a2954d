import { expect, test } from 'vitest'
import { allowedStyles } from './styles.ts'

test.each([
  ['color', '#f00'],
  ['font-family', 'Curlz, "Varela Round", sans-serif'],
  ['color', 'rgb(0 0 0)'],
  ['letter-spacing', '0.02em'],
] as const)('%s: %s is allowed', (name, value) => expect(allowedStyles([[name, value]])).toEqual([[name, value]]))

test.each([
  ['position', 'fixed'],
  ['background', 'red'],
  ['background-image', 'url(https://shop.test/)'],
  ['--x', '1'],
  ['Color', 'red'],
  ['color', 'var(--x)'],
  ['font-family', 'url(https://shop.test/x)'],
  ['font-family', 'u\\72l(x)'],
  ['font-family', 'x'.repeat(201)],
  ['constructor', 'x'],
] as const)('%s: %s is not allowed', (name, value) => expect(allowedStyles([[name, value]])).toEqual([]))
