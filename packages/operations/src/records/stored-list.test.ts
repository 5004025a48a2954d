import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { storedList } from './stored-list.ts'

const { valuesOf, objectOf, viewOf } = storedList({ a: Type.String(), b: Type.Integer(), c: Type.String() })

/** The members of a view by their names. */
const membersOf = (view: object | undefined) =>
  view && Object.fromEntries(['a', 'b', 'c'].map((name) => [name, Reflect.get(view, name)]))

test.each<[object, readonly unknown[]]>([
  [{ c: 'x', b: 2, a: '1' }, ['1', 2, 'x']],
  [{ c: 'x' }, [undefined, undefined, 'x']],
  [{ a: '1', c: undefined }, ['1']],
  [{ b: 0 }, [undefined, 0]],
  [{}, []],
])('the values of %j have the order of the columns, without absent ones at the end', (members, values) => {
  expect(valuesOf(members)).toEqual(values)
  const read = () => JSON.parse(JSON.stringify(values))
  expect(objectOf(read())).toEqual(members)
  expect(membersOf(viewOf(read()))).toEqual(members)
})

test.each([[['1', 2, 'x', 4]], [{ a: '1' }], ['1'], [null], [undefined]])('%j is no list of the columns', (values) => {
  expect(objectOf(values)).toBeUndefined()
  expect(viewOf(values)).toBeUndefined()
})

test('views of different tables have their own members', () => {
  const other = storedList({ d: Type.String() })
  expect(Reflect.get(other.viewOf(['x']) ?? {}, 'd')).toBe('x')
  expect('a' in (other.viewOf(['x']) ?? {})).toBe(false)
})
