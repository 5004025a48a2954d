import { Duplex } from 'node:stream'
import type { HostSocket } from '@tollgate/simulators/testing'
import type { Owner, Schedule } from '../schedule.ts'

/** One end of a connection. Its bytes arrive at the other end as events of the schedule, in the order of writing. */
class ConnectionEnd extends Duplex implements HostSocket {
  readonly #send: (event: ConnectionEvent) => void

  /** @param send passes an event to the other end */
  constructor(send: (event: ConnectionEvent) => void) {
    super()
    this.#send = send
  }

  override _read(): void {
    // Bytes are pushed when they arrive.
  }

  override _write(chunk: Uint8Array, _encoding: string, callback: () => void): void {
    // The writer erases its bytes when they are sent.
    this.#send({ bytes: Uint8Array.from(chunk) })
    callback()
  }

  override _final(callback: () => void): void {
    this.#send('end')
    callback()
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    this.#send('close')
    callback(error)
  }

  setNoDelay(): this {
    return this
  }

  setTimeout(): this {
    return this
  }

  receive(event: ConnectionEvent): void {
    if (this.destroyed) return
    if (event === 'close') this.destroy()
    else this.push(event === 'end' ? null : event.bytes)
  }
}

type ConnectionEvent = { readonly bytes: Uint8Array } | 'end' | 'close'

interface Parts {
  readonly schedule: Schedule
  /** Draws the transfer time of a message. */
  readonly transferMs: () => number
}

/**
 * A connection between two processes, each with the end that it uses. Events of an end whose process has crashed are
 * dropped.
 */
export function connectProcesses(
  { schedule, transferMs }: Parts,
  clientOwner: Owner,
  hostOwner: Owner,
): { readonly client: Duplex; readonly host: HostSocket } {
  /** Passes events of a sender to an end in their order, each after a transfer time. A crashed sender sends nothing. */
  function transfer(sender: Owner, receiver: Owner, end: () => ConnectionEnd): (event: ConnectionEvent) => void {
    const inTransfer: ConnectionEvent[] = []
    let lastArrivalMs = 0
    return (event) => {
      if (!sender.isRunning) return
      lastArrivalMs = Math.max(lastArrivalMs, schedule.nowMs() + transferMs())
      inTransfer.push(event)
      schedule.after(lastArrivalMs - schedule.nowMs(), receiver, '', () => {
        const first = inTransfer.shift()
        if (first !== undefined) end().receive(first)
      })
    }
  }

  const client: ConnectionEnd = new ConnectionEnd(transfer(clientOwner, hostOwner, () => host))
  const host: ConnectionEnd = new ConnectionEnd(transfer(hostOwner, clientOwner, () => client))
  // A connection that its other end has reset is only closed.
  client.on('error', () => undefined)
  return { client, host }
}
