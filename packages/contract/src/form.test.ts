import { expect, test } from 'vitest'
import { decodeForm } from './decode-form.ts'
import { withoutParameters } from './form.ts'

test('withoutParameters keeps the other parameters, and `wipe` of its result also erases a removed secret', () => {
  const form = decodeForm(new TextEncoder().encode('amount=1.00&currency=EUR&card.number=4200&card.cvv=123'))
  const number = form.secrets.get('card.number')
  const remaining = withoutParameters(form, new Set(['currency', 'card.number', 'locale']))
  expect(remaining.sent.map(({ name }) => name).toSorted()).toEqual(['amount', 'card.cvv'])
  expect([...remaining.values.keys(), ...remaining.secrets.keys()]).toEqual(['amount', 'card.cvv'])
  remaining.wipe()
  expect(number?.use((bytes) => [...bytes])).toEqual([0, 0, 0, 0])
})
