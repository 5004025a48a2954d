import { expect, test } from 'vitest'
import { decodeForm } from './decode-form.ts'
import { withoutParameters } from './form.ts'

test('withoutParameters keeps the other parameters, and its wipe erases all secrets', () => {
  const form = decodeForm(new TextEncoder().encode('amount=1.00&currency=EUR&card.number=4200&card.cvv=123'))
  const number = form.secrets.get('card.number')
  const left = withoutParameters(form, new Set(['currency', 'card.number', 'locale']))
  expect(left.sent.map(({ name }) => name).toSorted()).toEqual(['amount', 'card.cvv'])
  expect([...left.values.keys(), ...left.secrets.keys()]).toEqual(['amount', 'card.cvv'])
  left.wipe()
  expect(number?.use((bytes) => [...bytes])).toEqual([0, 0, 0, 0])
})
