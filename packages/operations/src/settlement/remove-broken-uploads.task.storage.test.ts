import { DAY_MS } from '@tollgate/contract'
import { testGateway, type TestGateway } from '@tollgate/gateway/testing'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { limits } from '../limits.ts'
import { runToEnd, settlementFileOf, settlementRowOf } from '../testing/settlement-files.ts'
import { storeContent } from './file-content.ts'
import { receiveFile } from './receive-file.ts'
import { removeBrokenUploads } from './remove-broken-uploads.task.ts'

let tollgate: TestGateway
beforeEach(async () => {
  tollgate = await testGateway()
})
afterEach(() => tollgate.close())

/** Stores parts without a file, as a process does that is killed while the file arrives. */
async function breakOff(): Promise<string> {
  const stored = await storeContent(tollgate.gateway, [Buffer.alloc(2 * limits.settlementPartBytes + 1, 'x')])
  if (typeof stored === 'string') throw new Error(`the content was refused: ${stored}`)
  return stored.contentId
}

async function partsOf(contentId: string): Promise<number> {
  let parts = 0
  while (await tollgate.gateway.storage.settlementContent(contentId, parts + 1)) parts += 1
  return parts
}

test('parts of broken uploads are removed after a day, and parts of files stay', async () => {
  const broken = [await breakOff(), await breakOff()]
  const chunks = [settlementFileOf([settlementRowOf()])]
  const received = await receiveFile(tollgate.gateway, { name: 'f.csv', arrivedBy: 'upload', chunks })
  const kept = 'file' in received ? received.file.content_id : ''
  tollgate.clock.nowMs += DAY_MS - 1000
  const recent = await breakOff()
  await runToEnd(removeBrokenUploads(tollgate.gateway))
  expect(await Promise.all(broken.map(partsOf))).toEqual([3, 3])

  tollgate.clock.nowMs += 2000
  await runToEnd(removeBrokenUploads(tollgate.gateway))
  expect(await Promise.all([...broken, kept, recent].map(partsOf))).toEqual([0, 0, 1, 3])
})
