import { createGunzip, createGzip, gunzipSync, gzipSync } from 'node:zlib'

type Done = (error: Error | null, result?: Uint8Array) => void

/**
 * Compresses in the calling thread from now on: Node's threads end at any time, so that simulations would not be
 * reproducible.
 */
export function compressAtOnce(): void {
  for (const [stream, convert] of [
    [createGzip(), gzipSync],
    [createGunzip(), gunzipSync],
  ] as const) {
    Object.assign(Object.getPrototypeOf(stream), {
      _transform: (chunk: Uint8Array, _encoding: string, done: Done) => done(null, convert(chunk)),
      _flush: (done: Done) => done(null),
    })
    stream.destroy()
  }
}
