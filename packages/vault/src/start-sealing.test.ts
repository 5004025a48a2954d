import { randomBytes } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import { hmac } from './hmac.ts'
import { generateKeyRing } from './key-ring.ts'
import { unwrapKey } from './key-wrap.ts'
import { limits } from './limits.ts'
import { openKeyRing, sealingKeysOf } from './open-key-ring.ts'
import { type SealingThread, startSealing } from './start-sealing.ts'
import { VaultError } from './vault-error.ts'

const keys = sealingKeysOf(openKeyRing(generateKeyRing(randomBytes)))
const number = Buffer.from('4111111111111111', 'latin1')
const associatedData = Buffer.from('account|sealed|id|merchant', 'latin1')

const failures: VaultError[] = []
const threads: SealingThread[] = []
const startThread = async () => {
  const thread = await startSealing(keys, (error) => failures.push(error))
  threads.push(thread)
  return thread
}

afterEach(async () => {
  await Promise.all(threads.splice(0).map((thread) => thread.close()))
  failures.length = 0
})

const sealMany = (thread: SealingThread, count: number) =>
  Array.from({ length: count }, async () => thread.seal(number, associatedData))
const containsNumber = ({ memory }: SealingThread) => Buffer.from(memory).includes(number)

describe('the shared memory', () => {
  it('contains a number only until it is sealed', async () => {
    const thread = await startThread()
    const pending = sealMany(thread, limits.slots)
    expect(containsNumber(thread)).toBe(true)
    await Promise.all(pending)
    expect(containsNumber(thread)).toBe(false)
  })

  it('has room for as many numbers as slots, and for more when slots are free again', async () => {
    const thread = await startThread()
    for (let round = 0; round < 3; round += 1) {
      const sealings = await Promise.all(sealMany(thread, limits.slots + 1))
      expect(sealings.pop()).toBeUndefined()
      const sealed = new Set(sealings.map((sealing) => sealing && Buffer.from(sealing.sealed).toString('hex')))
      expect(sealed.size).toBe(limits.slots)
    }
  })

  it('has room for a number and associated data of the maximum length, and for no longer number', async () => {
    const thread = await startThread()
    const longest = new Uint8Array(limits.slotNumberBytesMax).fill(0x34)
    const sealing = await thread.seal(longest, new Uint8Array(limits.associatedDataBytesMax).fill(0x61))
    expect(sealing?.sealed).toHaveLength(limits.slotNumberBytesMax + 29)
    expect(thread.seal(new Uint8Array(limits.slotNumberBytesMax + 1).fill(0x34), associatedData)).toBeUndefined()
    const shortSealing = await thread.seal(number, associatedData)
    expect(shortSealing?.sealed).toHaveLength(number.length + 29)
  })
})

describe('changed keys', () => {
  it('seal later numbers, not earlier numbers', async () => {
    const thread = await startThread()
    const newKeys = sealingKeysOf(openKeyRing(generateKeyRing(randomBytes)))
    const before = sealMany(thread, 20)
    thread.changeKeys(newKeys)
    const after = sealMany(thread, 20)
    for (const [sealings, usedKeys] of [
      [await Promise.all(before), keys],
      [await Promise.all(after), newKeys],
    ] as const) {
      for (const sealing of sealings) {
        expect(Buffer.from(sealing?.fingerprint ?? [])).toEqual(hmac(usedKeys.fingerprint, number))
        expect(unwrapKey(usedKeys.wrappingKey, sealing?.wrappedKey ?? number)).toHaveLength(32)
      }
    }
  })
})

describe('the sealing thread', () => {
  it('rejects pending and later numbers after a failure, reports it once, and wipes all numbers', async () => {
    const thread = await startThread()
    // Fewer numbers than a batch are not sent before this turn of the event loop ends.
    const pending = sealMany(thread, limits.batchNumbers - 1)
    // The length is impossible: the thread must stop instead of using inconsistent memory.
    new Uint8Array(thread.memory).fill(0xff, 0, 1)
    const outcomes = await Promise.allSettled(pending)
    for (const outcome of outcomes) {
      expect(outcome.status === 'rejected' && outcome.reason).toMatchObject({
        name: 'VaultError',
        fault: 'unavailable',
      })
    }
    expect(containsNumber(thread)).toBe(false)
    await expect(thread.seal(number, associatedData)).rejects.toBeInstanceOf(VaultError)
    await thread.close()
    expect(failures.map(({ message }) => message)).toEqual(['the sealing thread failed: the slot contains no number'])
  })

  it('completes pending seals and refuses later ones when it is closed, and reports no failure', async () => {
    const thread = await startThread()
    const pending = sealMany(thread, 20)
    await thread.close()
    expect((await Promise.all(pending)).every((sealing) => sealing?.wrappedKey.length === 40)).toBe(true)
    await expect(thread.seal(number, associatedData)).rejects.toMatchObject({ fault: 'unavailable' })
    expect(failures).toEqual([])
  })
})
