import type { IncomingMessage } from 'node:http'

/** Wipes the body of a request that no code has read: Node drops the chunks but leaves their content in memory. */
export function wipeUnread(stream: IncomingMessage): void {
  const { 'content-length': length, 'transfer-encoding': coding } = stream.headers
  if (stream.readableFlowing !== null || (length === undefined && coding === undefined)) return
  stream.on('error', () => undefined)
  stream.on('data', (chunk: Buffer) => chunk.fill(0))
}
