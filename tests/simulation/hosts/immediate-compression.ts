import { createGunzip, createGzip, gunzipSync, gzipSync } from 'node:zlib'

// Node compresses in threads, which end at any time, so that simulations would not be reproducible. In the process of a
// simulation contents are compressed at once.

type Done = (error: Error | null, result?: Uint8Array) => void

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
