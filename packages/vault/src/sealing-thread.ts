import { randomBytes } from 'node:crypto'
import { parentPort, workerData } from 'node:worker_threads'
import { limits } from './limits.ts'
import { openSealer, type SealingKeys } from './sealer.ts'
import { type Slot, slotsOf } from './slots.ts'

// The sealing thread, which takes the cost of cryptography off the event loop of the service. It ends after the message
// `close`.

/** Input of the thread. */
export interface SealingData {
  readonly memory: SharedArrayBuffer
  readonly keys: SealingKeys
}

/**
 * A message to the thread: the number of further slots that contain a number; the keys for the next slots; or `close`,
 * after the last number.
 */
export type SealingRequest = number | SealingKeys | 'close'

/** A message of the thread. `ready`: it waits for numbers. A number: the count of further slots with a result. */
export type SealingReply = 'ready' | number

const port = parentPort
if (!port) throw new Error('sealing-thread must run in a worker thread')
const send = (message: SealingReply) => port.postMessage(message)

const data: SealingData = workerData
const slots = slotsOf(data.memory)
const seal = openSealer(randomBytes)
let { keys } = data
let nextSlot = 0

port.on('message', (message: SealingRequest) => {
  if (message === 'close') return port.close()
  if (typeof message === 'object') return void (keys = message)
  for (let count = 0; count < message; count += 1) {
    const slot = slots[nextSlot]
    if (!slot) throw new Error(`slot ${nextSlot} does not exist`)
    sealSlot(slot)
    nextSlot = (nextSlot + 1) % slots.length
  }
  return send(message)
})
send('ready')

function sealSlot({ lengths, number, associatedData, ...results }: Slot): void {
  const [numberBytes = 0, associatedDataBytes = 0] = lengths
  if (numberBytes < 1 || numberBytes > limits.slotNumberBytesMax) throw new Error('the slot contains no number')
  const { sealed, wrappedKey, fingerprint } = seal(
    keys,
    number.subarray(0, numberBytes),
    associatedData.subarray(0, associatedDataBytes),
  )
  number.fill(0)
  results.sealed.set(sealed)
  results.wrappedKey.set(wrappedKey)
  results.fingerprint.set(fingerprint)
}
