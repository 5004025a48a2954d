import type { Socket } from 'node:net'
import type { ServerChannel } from 'ssh2'
import type { ServerLimits } from '../limits.ts'
import { orAborted } from '../or-aborted.ts'
import { createPacketSplitter } from '../protocol/packets.ts'
import type { FileTree } from '../tree/file-tree.ts'
import { createFileSession } from './file-session.ts'
import type { Throttle } from './throttle.ts'

interface Parts {
  readonly channel: ServerChannel
  readonly socket: Socket
  readonly tree: FileTree
  readonly root: string
  readonly limits: ServerLimits
  readonly throttle: Throttle
  /** Aborts when the connection or the channel has ended. */
  readonly signal: AbortSignal
  /** A request was carried out and its answer has left. */
  readonly onProgress: () => void
}

/**
 * Serves the requests of a channel, one at a time: the next one is read when the answer to the last one has left, so
 * that a client which does not read its answers is not served.
 *
 * @throws PacketError if the client violates the protocol
 */
export async function serveFiles({ channel, throttle, signal, onProgress, ...parts }: Parts): Promise<void> {
  const session = createFileSession(parts)
  const { push } = createPacketSplitter()
  channel.on('error', () => undefined)
  try {
    const chunks: AsyncIterable<Buffer> = channel
    for await (const chunk of chunks)
      for (const packet of push(chunk)) {
        const answer = await session.execute(packet)
        await throttle.take(answer.dataBytes, signal)
        await send(channel, parts.socket, answer.packet, signal)
        if (signal.aborted) return
        onProgress()
      }
    channel.exit(0)
  } finally {
    channel.end()
    await session.close()
  }
}

/** Sends an answer. Resolves when the client's window and the connection have accepted it. */
async function send(channel: ServerChannel, socket: Socket, packet: Buffer, signal: AbortSignal): Promise<void> {
  await orAborted(signal, (onSent) => channel.write(packet, () => onSent()))
  if (socket.writableNeedDrain) await orAborted(signal, (onDrain) => socket.once('drain', onDrain))
}
