import { expect, test } from 'vitest'
import { createKeyedMutex } from './keyed-mutex.ts'

const laps = async (count: number) => {
  for (let lap = 0; lap < count; lap += 1) await Promise.resolve()
}

test('work on one thing waits for what came before, work on another does not', async () => {
  const withLock = createKeyedMutex()
  const seen: string[] = []
  const work = (name: string, count: number) => async () => {
    seen.push(`${name} begins`)
    await laps(count)
    seen.push(`${name} ends`)
    return name
  }
  const done = [withLock('a', work('long', 20)), withLock('a', work('short', 1)), withLock('b', work('other', 5))]
  expect(await Promise.all(done)).toEqual(['long', 'short', 'other'])
  expect(seen).toEqual(['long begins', 'other begins', 'other ends', 'long ends', 'short begins', 'short ends'])
})

test('a failure affects only its own caller', async () => {
  const withLock = createKeyedMutex()
  const failing = withLock('a', () => Promise.reject(new Error('mine')))
  const next = withLock('a', () => Promise.resolve('fine'))
  await expect(failing).rejects.toThrow('mine')
  expect(await next).toBe('fine')
})
