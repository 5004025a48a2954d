import { afterAll, beforeAll, expect, test } from 'vitest'
import { testGateway, type TestGateway } from '../../testing/test-gateway.ts'
import { documents } from './routes.ts'

let tollgate: TestGateway
beforeAll(async () => {
  tollgate = await testGateway()
})
afterAll(() => tollgate.close())

test.each(documents)('all answers with the document $path share one buffer', async (document) => {
  const mark = { requestId: 'a'.repeat(32), atMs: 0 }
  const sharedPieces = () => {
    const { pieces = [] } = document.answer(tollgate.gateway, mark).rest ?? {}
    if (!(Symbol.iterator in pieces)) throw new Error('the pieces of a document must be synchronous')
    return Array.from(pieces).filter((piece) => typeof piece !== 'string')
  }
  const [first, second] = [sharedPieces(), sharedPieces()]
  expect(first.length).toBeGreaterThan(0)
  expect(first.map(({ buffer }) => buffer)).toEqual(second.map(({ buffer }) => buffer))
  expect(first.every(({ buffer }, index) => buffer === second[index]?.buffer)).toBe(true)
  const { status, text } = await tollgate.request({ method: 'GET', url: document.path })
  expect(status).toBe(200)
  expect(text).toContain(Buffer.concat(first).toString())
})
