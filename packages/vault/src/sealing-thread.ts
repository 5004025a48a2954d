import { randomBytes } from 'node:crypto'
import { parentPort, workerData } from 'node:worker_threads'
import { limits } from './limits.ts'
import { openSealer, type SealingKeys } from './sealer.ts'
import { type Slot, slotsOf } from './slots.ts'

// The thread that seals, so that cryptography costs the event loop of the service next to nothing. It ends when it is
// told to close.

/** What the thread starts with. */
export interface SealingData {
  readonly memory: SharedArrayBuffer
  readonly keys: SealingKeys
}

/** How many more slots hold a number; the keys for those that follow; or that no more will. */
export type ToSealer = number | SealingKeys | 'close'

/** The thread waits for numbers; then, how many more slots hold what became of theirs. */
export type FromSealer = 'ready' | number

const port = parentPort
if (!port) throw new Error('the sealing thread is a thread of its own')
const send = (message: FromSealer) => port.postMessage(message)

const data: SealingData = workerData
const slots = slotsOf(data.memory)
const seal = openSealer(randomBytes)
let { keys } = data
let next = 0

port.on('message', (message: ToSealer) => {
  if (message === 'close') return port.close()
  if (typeof message === 'object') return void (keys = message)
  for (let count = 0; count < message; count += 1) {
    const slot = slots[next]
    if (!slot) throw new Error('there is no such slot')
    sealSlot(slot)
    next = (next + 1) % slots.length
  }
  return send(message)
})
send('ready')

function sealSlot({ lengths, number, context, ...results }: Slot): void {
  const [numberBytes = 0, contextBytes = 0] = lengths
  if (numberBytes < 1 || numberBytes > limits.slotNumberBytesMax) throw new Error('a slot holds no number')
  const { sealed, wrappedKey, fingerprint } = seal(
    keys,
    number.subarray(0, numberBytes),
    context.subarray(0, contextBytes),
  )
  number.fill(0)
  results.sealed.set(sealed)
  results.wrappedKey.set(wrappedKey)
  results.fingerprint.set(fingerprint)
}
