import { limits } from '../../limits.ts'

/** A body in pieces that need no further memory: views of its bytes. */
export function* piecesOf(body: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < body.length; at += limits.pieceBytes) yield body.subarray(at, at + limits.pieceBytes)
}
