import type { TestGateway } from '@tollgate/gateway/testing'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { limits } from '../limits.ts'
import { clearedGateway } from '../testing/cleared-connector.ts'
import { readContent, storeContent } from './file-content.ts'

let tollgate: TestGateway
beforeEach(async () => {
  tollgate = await clearedGateway()
})
afterEach(() => tollgate.close())

const { settlementPartBytes: part, settlementReadBytes: piece } = limits

test.each([
  [1, 1],
  [piece, 1],
  [piece + 1, 2],
  [part + 1, part / piece + 1],
])('a content of %d bytes is read as it was stored, in %d pieces', async (bytes, count) => {
  const content = Buffer.from(Array.from({ length: bytes }, (_, index) => index % 251))
  const stored = await storeContent(tollgate.gateway, [content])
  if (typeof stored === 'string') throw new Error(stored)
  const pieces: Uint8Array[] = []
  for await (const read of readContent(tollgate.gateway, stored.contentId)) pieces.push(read)
  expect(Buffer.concat(pieces).equals(content)).toBe(true)
  expect(pieces).toHaveLength(count)
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(piece)
})
