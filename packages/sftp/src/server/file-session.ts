import { extensions, protocolVersion, requestTypes, responseTypes } from '../protocol/constants.ts'
import { createPacketReader, encode, encodePacket, PacketError, type PacketReader } from '../protocol/packets.ts'
import { createHandles } from './handles.ts'
import { readRequests } from './read-requests.ts'
import type { FileSessionContext, RequestHandler } from './request-handler.ts'
import { encodeResponse, type Response, status } from './responses.ts'
import { writeRequests } from './write-requests.ts'

/** The requests of one client, which are carried out one at a time. */
export interface FileSession {
  /**
   * Carries out a request.
   *
   * @returns the packet of the answer, and the bytes of files that were read or written
   * @throws PacketError if the request violates the protocol
   */
  readonly execute: (packet: Buffer) => Promise<{ readonly packet: Buffer; readonly dataBytes: number }>
  readonly close: () => Promise<void>
}

const requestNames: ReadonlyMap<number, string> = new Map(
  Object.entries(requestTypes).map(([name, type]) => [type, name]),
)

/** Starts a session. @param parts the tree, the user's root in it, and the limits */
export function createFileSession(parts: Omit<FileSessionContext, 'handles'>): FileSession {
  const context: FileSessionContext = { ...parts, handles: createHandles(parts.limits.handlesMax) }
  const { writes } = parts.tree
  const handlers: Readonly<Record<string, RequestHandler | undefined>> = {
    ...readRequests,
    ...(writes && writeRequests(writes)),
  }
  let hasStarted = false

  async function respond(type: number, request: PacketReader): Promise<Response> {
    const handler = handlers[requestNames.get(type) ?? '']
    if (handler === undefined) return status(type === requestTypes.EXTENDED ? 'OP_UNSUPPORTED' : 'PERMISSION_DENIED')
    try {
      return await handler(request, context)
    } catch (error) {
      if (error instanceof PacketError) throw error
      return status('FAILURE')
    }
  }

  return {
    async execute(packet) {
      const request = createPacketReader(packet)
      const type = request.uint8()
      if (hasStarted === (type === requestTypes.INIT)) throw new PacketError('a session does not start with INIT')
      if (!hasStarted) {
        hasStarted = true
        return { packet: versionPacket(writes !== undefined), dataBytes: 0 }
      }
      const id = request.uint32()
      const response = await respond(type, request)
      return { packet: encodeResponse(id, response), dataBytes: response.dataBytes ?? 0 }
    },
    close: () => context.handles.closeAll(),
  }
}

function versionPacket(isWritable: boolean): Buffer {
  const offered = isWritable ? [extensions.posixRename, extensions.fsync] : []
  const pairs = offered.flatMap((name) => [encode.bytes(name), encode.bytes('1')])
  return encodePacket(responseTypes.VERSION, encode.uint32(protocolVersion), ...pairs)
}
