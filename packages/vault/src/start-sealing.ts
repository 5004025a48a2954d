import { Worker } from 'node:worker_threads'
import { limits } from './limits.ts'
import { type Sealing, sealedOverheadBytes, type SealingKeys } from './sealer.ts'
import type { SealingData, SealingReply, SealingRequest } from './sealing-thread.ts'
import { createSlotMemory, type Slot, slotsOf } from './slots.ts'
import { closedError, VaultError } from './vault-error.ts'

/** The caller's side of the sealing thread. */
export interface SealingThread {
  /**
   * Seals a number with the associated data of `associatedDataOf`; both are copied before this function returns.
   * Returns undefined while all slots are in use, and for a number that is too long for a slot; rejects with VaultError
   * ('unavailable') once the thread is closed or has failed.
   */
  readonly seal: (number: Uint8Array, associatedData: Uint8Array) => Promise<Sealing> | undefined
  /** Uses other keys for later numbers. */
  readonly changeKeys: (keys: SealingKeys) => void
  readonly close: () => Promise<void>
  /** The memory that both threads share; it contains a number only until the number is sealed. */
  readonly memory: SharedArrayBuffer
}

/** A slot in use, with its promise. */
interface PendingSeal {
  readonly slot: Slot
  readonly resolve: (sealing: Sealing) => void
  readonly reject: (error: VaultError) => void
}

/**
 * Starts the thread and resolves when it waits for numbers.
 *
 * Numbers of one turn of the event loop are announced in one message, or in several if there are many, so that both
 * threads work at the same time; each such message has one reply. Slots are used in turn, so a count is sufficient.
 * @param onFatal called once when the thread has failed; all pending seals have been rejected.
 * @throws VaultError ('unavailable') if the thread does not start.
 */
export async function startSealing(keys: SealingKeys, onFatal: (error: VaultError) => void): Promise<SealingThread> {
  const memory = createSlotMemory()
  const workerData: SealingData = { memory, keys }
  const worker = new Worker(new URL('sealing-thread.js', import.meta.url), { workerData, execArgv: [] })
  const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
  await untilReady(worker)

  const slots = slotsOf(memory)
  /** Pending seals in the order of their slots. The last `unannounced` of them are not announced to the thread yet. */
  const pending: PendingSeal[] = []
  let unannounced = 0
  let next = 0
  let isSendScheduled = false
  let hasFailed = false
  let refusal: VaultError | undefined
  let closed: Promise<void> | undefined

  function seal(number: Uint8Array, associatedData: Uint8Array): Promise<Sealing> | undefined {
    if (refusal) return Promise.reject(refusal)
    const slot = slots[next]
    if (!slot || pending.length === slots.length || number.length > slot.number.length) return undefined
    fillSlot(slot, number, associatedData)
    next = (next + 1) % slots.length
    unannounced += 1
    if (unannounced >= limits.batchNumbers) send()
    else scheduleSend()
    return new Promise((resolve, reject) => pending.push({ slot, resolve, reject }))
  }

  function scheduleSend(): void {
    if (isSendScheduled) return
    isSendScheduled = true
    setImmediate(() => {
      isSendScheduled = false
      send()
    })
  }

  function send(): void {
    if (unannounced === 0) return
    post(unannounced)
    unannounced = 0
  }

  function post(message: SealingRequest): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    worker.postMessage(message)
  }

  function fail(message: string): void {
    if (hasFailed) return
    hasFailed = true
    refusal = new VaultError('unavailable', message)
    // The numbers that remain in the slots will not be sealed, so they are wiped.
    new Uint8Array(memory).fill(0)
    for (const { reject } of pending.splice(0)) reject(refusal)
    onFatal(refusal)
  }

  worker.on('message', (count: number) => {
    for (const { slot, resolve } of pending.splice(0, count)) resolve(readSlot(slot))
  })
  worker.on('error', (error) => fail(`the sealing thread failed: ${error.message}`))
  worker.on('exit', () => {
    if (!closed) fail('the sealing thread has exited')
  })

  function changeKeys(newKeys: SealingKeys): void {
    // Earlier numbers are sealed first, with the earlier keys.
    send()
    post(newKeys)
  }

  async function close(): Promise<void> {
    refusal ??= closedError()
    send()
    post('close')
    await exited
  }

  return { seal, changeKeys, close: () => (closed ??= close()), memory }
}

function fillSlot(slot: Slot, number: Uint8Array, associatedData: Uint8Array): void {
  slot.lengths[0] = number.length
  slot.lengths[1] = associatedData.length
  slot.number.set(number)
  slot.associatedData.set(associatedData)
}

/** Copies the results, because the slot is reused. */
function readSlot({ lengths: [numberBytes = 0], sealed, wrappedKey, fingerprint }: Slot): Sealing {
  return {
    sealed: sealed.slice(0, numberBytes + sealedOverheadBytes),
    wrappedKey: wrappedKey.slice(),
    fingerprint: fingerprint.slice(),
  }
}

async function untilReady(worker: Worker): Promise<void> {
  await new Promise<SealingReply>((resolve, reject) => {
    const fail = (reason: string) =>
      reject(new VaultError('unavailable', `the sealing thread did not start: ${reason}`))
    worker.once('message', resolve)
    worker.once('error', (error) => fail(error.message))
    worker.once('exit', () => fail('it has exited'))
  })
}
