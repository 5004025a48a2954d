import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { storedList } from './stored-list.ts'

const { valuesOf, membersOf } = storedList({ a: Type.String(), b: Type.Integer(), c: Type.String() })

test.each<[object, readonly unknown[]]>([
  [{ c: 'x', b: 2, a: '1' }, ['1', 2, 'x']],
  [{ c: 'x' }, [undefined, undefined, 'x']],
  [{ a: '1', c: undefined }, ['1']],
  [{}, []],
])('the values of %j have the order of the columns, without absent ones at the end', (members, values) => {
  expect(valuesOf(members)).toEqual(values)
  expect(membersOf(JSON.parse(JSON.stringify(values)))).toEqual(members)
})

test('all objects have all members in one order', () => {
  for (const values of [[], ['1'], [null, 2, 'x']])
    expect(Object.keys(membersOf(values) ?? {})).toEqual(['a', 'b', 'c'])
})

test.each([[['1', 2, 'x', 4]], [{ a: '1' }], ['1'], [null], [undefined]])('%j is no list of the columns', (values) => {
  expect(membersOf(values)).toBeUndefined()
})
