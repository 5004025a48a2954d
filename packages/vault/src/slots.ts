import { wrappedKeyBytes } from './key-wrap.ts'
import { limits } from './limits.ts'
import { sealedOverheadBytes } from './sealer.ts'

/** The parts of a slot with their lengths in bytes, in the order of the memory. */
const parts = {
  /** The numbers of used bytes of `number` and of `associatedData`. */
  lengths: 2,
  number: limits.slotNumberBytesMax,
  associatedData: limits.associatedDataBytesMax,
  sealed: limits.slotNumberBytesMax + sealedOverheadBytes,
  wrappedKey: wrappedKeyBytes,
  fingerprint: 32,
} as const

/**
 * The memory for one number that is passed to the sealing thread, and for the result. Numbers are passed in shared
 * memory and never in a message, because a message leaves copies that cannot be wiped.
 */
export type Slot = Readonly<Record<keyof typeof parts, Uint8Array>>

const slotBytes = Object.values(parts).reduce((sum, bytes) => sum + bytes, 0)

/** Memory for `limits.slots` slots. */
export function createSlotMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(limits.slots * slotBytes)
}

/** The slots of a slot memory, which are used as a ring, in the order of arrival. */
export function slotsOf(memory: SharedArrayBuffer): readonly Slot[] {
  return Array.from({ length: limits.slots }, (_, index) => {
    let next = index * slotBytes
    const take = (part: keyof typeof parts): Uint8Array => {
      const start = next
      next += parts[part]
      return new Uint8Array(memory, start, parts[part])
    }
    return {
      lengths: take('lengths'),
      number: take('number'),
      associatedData: take('associatedData'),
      sealed: take('sealed'),
      wrappedKey: take('wrappedKey'),
      fingerprint: take('fingerprint'),
    }
  })
}
