import { expect, test } from 'vitest'
import { createKeyedMutex } from './keyed-mutex.ts'

const microtasks = async (count: number) => {
  for (let turn = 0; turn < count; turn += 1) await Promise.resolve()
}

test('work under one key waits for earlier work under that key, but not for work under other keys', async () => {
  const withLock = createKeyedMutex()
  const steps: string[] = []
  const work = (name: string, count: number) => async () => {
    steps.push(`${name} begins`)
    await microtasks(count)
    steps.push(`${name} ends`)
    return name
  }
  const done = [withLock('a', work('long', 20)), withLock('a', work('short', 1)), withLock('b', work('other', 5))]
  expect(await Promise.all(done)).toEqual(['long', 'short', 'other'])
  expect(steps).toEqual(['long begins', 'other begins', 'other ends', 'long ends', 'short begins', 'short ends'])
})

test('a failure affects only its own caller', async () => {
  const withLock = createKeyedMutex()
  const failing = withLock('a', () => Promise.reject(new Error('mine')))
  const next = withLock('a', () => Promise.resolve('fine'))
  await expect(failing).rejects.toThrow('mine')
  expect(await next).toBe('fine')
})
