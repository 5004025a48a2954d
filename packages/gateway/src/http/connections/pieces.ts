import { limits } from '../../limits.ts'

/** Splits a body into views of its bytes, so that no bytes are copied. */
export function* piecesOf(body: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < body.length; at += limits.pieceBytes) yield body.subarray(at, at + limits.pieceBytes)
}
