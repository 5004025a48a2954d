import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import type { HeaderName } from '@tollgate/iso8583'
import { limits } from '../limits.ts'
import type { Simulator, SimulatorEnvironment } from '../simulator.ts'
import { acquirerRoutes } from './acquirer-routes.ts'
import { createBusinessDays, type HostCutOff, midnightInUtc } from './business-day.ts'
import { createCardIndex } from './card.ts'
import { type AcquirerCounters, type After, serveConnection } from './connection.ts'
import { createFaultSwitch, type FaultSwitch } from './faults.ts'
import { createHeldAnswers } from './held-answers.ts'
import { type AcquirerHost, createHost } from './host.ts'
import { type HostSpecName, hostSpecs } from './host-message.ts'
import { applyEntry, createHostState } from './host-state.ts'
import { noJournal, openJournal } from './journal.ts'
import { createClearingInbox, noInbox } from './settlement/clearing-inbox.ts'
import { createDelivery, noDelivery } from './settlement/delivery.ts'
import { receiveClearingFile } from './settlement/receive-clearing-file.ts'
import type { HostFileFormatName } from './settlement/settlement-file.ts'
import { settlementRoutes } from './settlement/settlement-routes.ts'

/** Options of the simulated acquirer. */
export interface AcquirerOptions {
  /** The header of frames; by default two bytes. */
  readonly header?: HeaderName | undefined
  /** The specification of messages; by default the 1987 edition as text. */
  readonly spec?: HostSpecName | undefined
  /** The end of the host's business day; by default midnight in UTC. */
  readonly cutOff?: HostCutOff | undefined
  /** The folder into which the settlement file of each business day is written after its end; by default none. */
  readonly settlementFolder?: string | undefined
  /** The format of those files; by default `csv`. */
  readonly settlementFormat?: HostFileFormatName | undefined
  /** The folder in which clearing files arrive; by default none. */
  readonly clearingFolder?: string | undefined
  /** A file for the state, which a restart replays. Only one process may use it. By default nothing is stored. */
  readonly file?: string | undefined
  /** Creates the listener, such as one with TLS. By default it is plain TCP. */
  readonly createListener?: ((serve: (socket: Socket) => void) => Server) | undefined
  /** Calls back after a time; by default by the timer of the machine. */
  readonly after?: After | undefined
}

/** The host of an acquirer on TCP, with views on HTTP. */
export interface Acquirer extends Simulator {
  readonly host: AcquirerHost
  readonly faults: FaultSwitch
  /** @returns the address, once it listens; rejects with the error of `listen`, such as EADDRINUSE */
  listen(host: string, port: number): Promise<ListenerAddress>
  /** Closes the listener, all connections and the journal. */
  close(): Promise<void>
}

export interface ListenerAddress {
  readonly host: string
  readonly port: number
}

/**
 * Creates the test host of an acquirer (ISO 8583). It replays its journal, if it has one, before it listens.
 *
 * @throws Error if the journal cannot be opened or is damaged; RangeError if the cut-off is not valid
 */
export async function createAcquirer(environment: SimulatorEnvironment, options: AcquirerOptions): Promise<Acquirer> {
  const { clock, random } = environment
  const { header = 'binary2', spec = 'ascii1987', file, createListener = createServer } = options
  const { cutOff = midnightInUtc, settlementFolder: folder, settlementFormat = 'csv', clearingFolder } = options
  const businessDays = createBusinessDays(cutOff)
  const state = createHostState()
  const { journal, key } =
    file === undefined
      ? { journal: noJournal, key: random(32) }
      : await openJournal(file, random, (entry) => applyEntry(state, entry))
  const host = createHost(clock, createCardIndex(key), state, journal, businessDays)
  const files = { bookings: state.bookings, businessDays, timeZone: cutOff.timeZone }
  const delivery = folder === undefined ? noDelivery : createDelivery(folder, settlementFormat, { files, clock, host })
  const receive = (bytes: Uint8Array) => receiveClearingFile(host, bytes, businessDays.dayOf(clock.now()))
  const inbox = clearingFolder === undefined ? noInbox : createClearingInbox(clearingFolder, receive)
  const faults = createFaultSwitch()
  const counters: AcquirerCounters = { connections: 0, messages: 0, answers: 0, undecodable: 0, ignored: 0 }
  const sockets = new Set<Socket>()
  const timers = new Set<NodeJS.Timeout>()

  const afterTimer: After = (delayMs, callback) => {
    const timer = setTimeout(() => {
      timers.delete(timer)
      callback()
    }, delayMs)
    timers.add(timer)
  }

  /** The memory is ahead of the disk: the host answers nothing more until it is restarted. */
  function fail(error: unknown): void {
    process.stderr.write(`acquirer: the journal failed; no message is answered until a restart: ${String(error)}\n`)
    listener.close()
    for (const socket of sockets) socket.destroy()
  }

  const connection = {
    host,
    header,
    spec: hostSpecs[spec],
    faults,
    heldAnswers: createHeldAnswers(),
    counters,
    after: options.after ?? afterTimer,
    fail,
  }
  const listener = createListener((socket) => serveConnection(socket, connection))
  // With TLS these are the sockets below it, also of connections whose handshake is not complete.
  listener.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  listener.maxConnections = limits.acquirerConnectionsMax

  return {
    host,
    faults,
    register(server) {
      acquirerRoutes(server, { host, faults, counters })
      settlementRoutes(server, { host, files, clock, receive })
    },
    async advance() {
      await inbox.advance()
      await delivery.advance()
    },
    async listen(hostName, port) {
      await new Promise<void>((resolve, reject) => {
        listener.once('error', reject)
        listener.listen(port, hostName, resolve)
      })
      // A connection that cannot be accepted, say because the process has too many open files, ends nothing else.
      listener.on('error', (error) => process.stderr.write(`acquirer: ${String(error)}\n`))
      const address: AddressInfo = Object(listener.address())
      return { host: hostName, port: address.port }
    },
    async close() {
      for (const timer of timers) clearTimeout(timer)
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => listener.close(resolve))
      await delivery.close()
      await journal.close()
    },
  }
}
