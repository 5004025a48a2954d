import type { Duplex } from 'node:stream'
import type { ClientLimits } from '../limits.ts'
import { protocolVersion, requestTypes, responseTypes, statusCodes } from '../protocol/constants.ts'
import type { RequestName, ResponseName } from '../protocol/constants.ts'
import { createPacketReader, createPacketSplitter, encode, encodePacket, PacketError } from '../protocol/packets.ts'
import type { PacketReader } from '../protocol/packets.ts'
import type { Timers } from '../timers.ts'
import { decodeText } from '../virtual-path.ts'
import { failureOfStatus, SftpFailure } from './sftp-error.ts'

/** The requests of one session, several of which can wait for answers at the same time. */
export interface Requests {
  /** The names of the extensions that the server offers. */
  readonly extensions: ReadonlySet<string>
  /**
   * Sends a request.
   *
   * @param action the action in the message of a failure, such as `open the file`
   * @throws SftpFailure if the server refuses, or the session has failed
   */
  readonly send: <T>(
    name: RequestName,
    parts: readonly Buffer[],
    expected: ExpectedAnswer<T>,
    action: string,
  ) => Promise<T>
  /** Ends the session: each request that waits, and each later one, fails with this failure. */
  readonly fail: (failure: SftpFailure) => void
}

/** A successful answer to a request. */
export interface ExpectedAnswer<T> {
  /** STATUS stands for the status OK. */
  readonly type: ResponseName
  readonly read: (values: PacketReader) => T
}

interface Answer {
  readonly type: number
  readonly values: PacketReader
}

interface Waiting {
  readonly resolve: (answer: Answer) => void
  readonly reject: (failure: SftpFailure) => void
}

/**
 * Starts a session: exchanges the versions.
 *
 * @param channel the subsystem's bytes
 * @param onFailure the session has failed, and its connection must be ended
 */
export async function startRequests(
  channel: Duplex,
  limits: ClientLimits,
  timers: Timers,
  onFailure: (failure: SftpFailure) => void,
): Promise<Requests> {
  /** By the id of the request; the exchange of versions has none. */
  const waiting = new Map<number | 'version', Waiting>()
  const { push } = createPacketSplitter()
  let failed: SftpFailure | undefined
  let lastId = 0

  function fail(failure: SftpFailure): void {
    if (failed !== undefined) return
    failed = failure
    for (const { reject } of waiting.values()) reject(failure)
    waiting.clear()
    onFailure(failure)
  }

  function receive(packet: Buffer): void {
    const values = createPacketReader(packet)
    const type = values.uint8()
    const id = type === responseTypes.VERSION ? 'version' : values.uint32()
    const request = waiting.get(id)
    if (request === undefined) throw new PacketError('an answer belongs to no request')
    waiting.delete(id)
    request.resolve({ type, values })
  }

  async function exchange(id: number | 'version', packet: Buffer): Promise<Answer> {
    if (failed !== undefined) throw failed
    const answer = new Promise<Answer>((resolve, reject) => waiting.set(id, { resolve, reject }))
    const endTimer = timers.startTimer(limits.answerMs, () =>
      fail(new SftpFailure('timeout', `The server did not answer within ${limits.answerMs / 1000} s.`)),
    )
    channel.write(packet)
    try {
      return await answer
    } finally {
      endTimer()
    }
  }

  channel.on('data', (chunk: Uint8Array) => {
    if (failed !== undefined) return
    try {
      for (const packet of push(chunk)) receive(packet)
    } catch (error) {
      fail(protocolFailure(error))
    }
  })
  channel.on('error', () => fail(new SftpFailure('closed', lost)))
  channel.on('end', () => fail(new SftpFailure('closed', lost)))
  channel.on('close', () => fail(new SftpFailure('closed', lost)))

  /** Reads an answer; one that violates the protocol ends the session. */
  function read<T>(action: () => T): T {
    try {
      return action()
    } catch (error) {
      if (!(error instanceof PacketError)) throw error
      const failure = protocolFailure(error)
      fail(failure)
      throw failure
    }
  }

  const version = await exchange('version', encodePacket(requestTypes.INIT, encode.uint32(protocolVersion)))
  const extensions = read(() => readVersion(version))

  return {
    extensions,
    fail,
    async send(name, parts, expected, action) {
      const id = (lastId = (lastId + 1) % 2 ** 32)
      const answer = await exchange(id, encodePacket(requestTypes[name], encode.uint32(id), ...parts))
      return read(() => readAnswer(answer, expected, action))
    },
  }
}

const lost = 'The connection to the server was lost.'

/** Errors other than those of the protocol are defects, and are thrown on. */
function protocolFailure(error: unknown): SftpFailure {
  if (!(error instanceof PacketError)) throw error
  return new SftpFailure('protocol', `The server violates the protocol: ${error.message}.`)
}

function readVersion({ type, values }: Answer): ReadonlySet<string> {
  if (type !== responseTypes.VERSION || values.uint32() < protocolVersion)
    throw new PacketError(`its version is not ${protocolVersion}`)
  const names = new Set<string>()
  while (!values.isAtEnd()) {
    names.add(decodeText(values.bytes()) ?? '')
    values.bytes()
  }
  return names
}

function readAnswer<T>({ type, values }: Answer, expected: ExpectedAnswer<T>, action: string): T {
  if (type === responseTypes.STATUS) {
    const code = values.uint32()
    if (code !== statusCodes.OK) throw failureOfStatus(code, action)
  }
  if (type !== responseTypes[expected.type]) throw new PacketError(`it did not ${action}, and states no reason`)
  return expected.read(values)
}
