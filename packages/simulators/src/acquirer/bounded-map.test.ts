import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { BoundedMap } from './bounded-map.ts'

/** The keys of a map that looks up its oldest key for each drop. */
function expectedKeys(max: number, steps: readonly { readonly key: number; readonly isDeleted: boolean }[]) {
  const keys = new Set<number>()
  const dropped: number[] = []
  for (const { key, isDeleted } of steps) {
    if (isDeleted) keys.delete(key)
    else keys.add(key)
    const [oldest = 0] = keys
    if (keys.size <= max) continue
    keys.delete(oldest)
    dropped.push(oldest)
  }
  return { keys: [...keys], dropped }
}

test('a map drops its oldest keys, also after others were deleted or set again', () => {
  const step = fc.record({ key: fc.integer({ min: 0, max: 12 }), isDeleted: fc.boolean() })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 8 }), fc.array(step, { maxLength: 200 }), (max, steps) => {
      const dropped: number[] = []
      const map = new BoundedMap<number, number>(max, (value) => dropped.push(value))
      for (const { key, isDeleted } of steps) {
        if (isDeleted) map.delete(key)
        else map.set(key, key)
      }
      expect({ keys: [...map.keys()], dropped }).toEqual(expectedKeys(max, steps))
    }),
  )
})

test('a key that is set again keeps its place, and drops nothing', () => {
  const onDrop = vi.fn<(value: string) => void>()
  const map = new BoundedMap<string, string>(2, onDrop)
  map.set('a', '1').set('b', '2').set('a', '3')
  expect([...map]).toEqual([
    ['a', '3'],
    ['b', '2'],
  ])
  expect(onDrop).not.toHaveBeenCalled()
  map.set('c', '4')
  expect(onDrop).toHaveBeenCalledExactlyOnceWith('3')
  expect([...map.keys()]).toEqual(['b', 'c'])
})

test('a map drops its oldest key also after it was below its bound for a while', () => {
  const map = new BoundedMap<string, string>(2)
  for (const key of ['a', 'b', 'c']) map.set(key, key)
  for (const key of ['b', 'c']) map.delete(key)
  for (const key of ['d', 'e']) map.set(key, key)
  map.set('f', 'f')
  expect([...map.keys()]).toEqual(['e', 'f'])
})
