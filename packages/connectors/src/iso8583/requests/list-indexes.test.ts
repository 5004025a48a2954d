import { expect, it, test } from 'vitest'
import { listIndexes } from './list-indexes.ts'

const indexesOf = (...names: readonly string[]) => Object.fromEntries(listIndexes(names))

test.each([
  ['no names', [], {}],
  ['no lists', ['amount', 'customParameters[note]'], {}],
  ['gaps and any order', ['cart.items[10].name', 'cart.items[2].name'], { 'cart.items': [2, 10] }],
  ['several names of an item', ['cart.items[0].name', 'cart.items[0].price'], { 'cart.items': [0] }],
  [
    'lists in items',
    ['airline.passengers[1].legs[0].fareBasis', 'airline.passengers[0].name'],
    { 'airline.passengers': [0, 1], 'airline.passengers[1].legs': [0] },
  ],
] as const)('of %s', (_, names, lists) => {
  expect(indexesOf(...names)).toEqual(lists)
})

it('confuses no list with the prototype of an object', () => {
  expect(listIndexes(['__proto__[0].x']).get('__proto__')).toEqual([0])
})
