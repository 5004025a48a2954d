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
const context = Buffer.from('account|sealed|id|merchant', 'latin1')

const fatal: VaultError[] = []
const started: SealingThread[] = []
const start = async () => {
  const thread = await startSealing(keys, (error) => fatal.push(error))
  started.push(thread)
  return thread
}

afterEach(async () => {
  await Promise.all(started.splice(0).map((thread) => thread.close()))
  fatal.length = 0
})

const sealMany = (thread: SealingThread, count: number) =>
  Array.from({ length: count }, async () => thread.seal(number, context))
const holdsNumber = ({ memory }: SealingThread) => Buffer.from(memory).includes(number)

describe('the memory that both threads see', () => {
  it('holds a number until it is sealed, and no longer', async () => {
    const thread = await start()
    const asked = sealMany(thread, limits.slots)
    expect(holdsNumber(thread)).toBe(true)
    await Promise.all(asked)
    expect(holdsNumber(thread)).toBe(false)
  })

  it('takes as many numbers as it has slots, and more once they are free', async () => {
    const thread = await start()
    for (let round = 0; round < 3; round += 1) {
      const sealings = await Promise.all(sealMany(thread, limits.slots + 1))
      expect(sealings.pop()).toBeUndefined()
      const sealed = new Set(sealings.map((one) => one && Buffer.from(one.sealed).toString('hex')))
      expect(sealed.size).toBe(limits.slots)
    }
  })

  it('fits the longest number and context', async () => {
    const thread = await start()
    const longest = new Uint8Array(limits.slotNumberBytesMax).fill(0x34)
    const sealing = await thread.seal(longest, new Uint8Array(limits.contextBytesMax).fill(0x61))
    expect(sealing?.sealed).toHaveLength(limits.slotNumberBytesMax + 29)
    expect(thread.seal(new Uint8Array(limits.slotNumberBytesMax + 1).fill(0x34), context)).toBeUndefined()
    const after = await thread.seal(number, context)
    expect(after?.sealed).toHaveLength(number.length + 29)
  })
})

describe('other keys', () => {
  it('seal later numbers, not earlier ones', async () => {
    const thread = await start()
    const changed = sealingKeysOf(openKeyRing(generateKeyRing(randomBytes)))
    const before = sealMany(thread, 20)
    thread.changeKeys(changed)
    const after = sealMany(thread, 20)
    for (const [sealings, made] of [
      [await Promise.all(before), keys],
      [await Promise.all(after), changed],
    ] as const) {
      for (const sealing of sealings) {
        expect(Buffer.from(sealing?.fingerprint ?? [])).toEqual(hmac(made.fingerprint, number))
        expect(unwrapKey(made.wrapper, sealing?.wrappedKey ?? number)).toHaveLength(32)
      }
    }
  })
})

describe('a thread that has failed', () => {
  it('rejects pending and later numbers, reports once, and wipes all numbers', async () => {
    const thread = await start()
    // So few that none of them is with the thread before this turn of the event loop ends.
    const asked = sealMany(thread, limits.batchNumbers - 1)
    // An impossible length: the thread must stop instead of using inconsistent memory.
    new Uint8Array(thread.memory).fill(0xff, 0, 1)
    const outcomes = await Promise.allSettled(asked)
    for (const outcome of outcomes) {
      expect(outcome.status === 'rejected' && outcome.reason).toMatchObject({
        name: 'VaultError',
        fault: 'unavailable',
      })
    }
    expect(holdsNumber(thread)).toBe(false)
    await expect(thread.seal(number, context)).rejects.toBeInstanceOf(VaultError)
    await thread.close()
    expect(fatal.map(({ message }) => message)).toEqual(['the sealing thread failed: the slot contains no number'])
  })

  it('is not one that was closed', async () => {
    const thread = await start()
    const asked = sealMany(thread, 20)
    await thread.close()
    expect((await Promise.all(asked)).every((sealing) => sealing?.wrappedKey.length === 40)).toBe(true)
    await expect(thread.seal(number, context)).rejects.toMatchObject({ fault: 'unavailable' })
    expect(fatal).toEqual([])
  })
})
