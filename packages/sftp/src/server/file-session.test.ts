import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { limits, serverLimits } from '../limits.ts'
import { openFlags, requestTypes, responseTypes, statusCodes } from '../protocol/constants.ts'
import { createPacketReader, encode, encodePacket, PacketError } from '../protocol/packets.ts'
import { memoryTree } from '../testing/memory-tree.ts'
import type { FileEntry, FileTree } from '../tree/file-tree.ts'
import { createFileSession } from './file-session.ts'

const { bytes, uint32, uint64 } = encode
const names = Array.from({ length: 100 }, (_, index) => `file-${index}`)
const tree = memoryTree({
  'a.csv': Buffer.from('content'),
  'large.csv': Buffer.alloc(100_000, 'x'),
  '.a.csv.7.part': Buffer.from('partial'),
  ...Object.fromEntries(names.map((name) => [name, Buffer.alloc(0)])),
})

/** A started session. Requests are made without length and id. */
async function startSession(of: FileTree = tree) {
  const session = createFileSession({ tree: of, root: '/shop', limits: serverLimits })
  const execute = async (type: number, ...parts: readonly Buffer[]) => {
    const { packet } = await session.execute(encodePacket(type, uint32(5), ...parts).subarray(4))
    const values = createPacketReader(packet.subarray(4))
    const answer = { type: values.uint8(), id: values.uint32(), values }
    expect(answer.id).toBe(5)
    return answer
  }
  await session.execute(encodePacket(requestTypes.INIT, uint32(3)).subarray(4))
  const statusOf = async (type: number, ...parts: readonly Buffer[]): Promise<number | undefined> => {
    const answer = await execute(type, ...parts)
    return answer.type === responseTypes.STATUS ? answer.values.uint32() : undefined
  }
  return { session, execute, statusOf }
}

const openParts = (path: string | Buffer, flags: number = openFlags.READ) => [
  bytes(path),
  uint32(flags),
  encode.noAttributes(),
]

const { NO_SUCH_FILE, PERMISSION_DENIED, FAILURE, EOF, OK, OP_UNSUPPORTED } = statusCodes

describe('a read-only session', () => {
  test.each([
    ['OPEN', PERMISSION_DENIED, openParts('a.csv', openFlags.WRITE)],
    ['OPEN', PERMISSION_DENIED, openParts('a.csv', openFlags.READ | openFlags.WRITE)],
    ['OPEN', PERMISSION_DENIED, openParts('a.csv', openFlags.READ | openFlags.CREATE)],
    ['OPEN', PERMISSION_DENIED, openParts('a.csv', openFlags.READ | openFlags.TRUNCATE)],
    ['OPEN', NO_SUCH_FILE, openParts('.a.csv.7.part')],
    ['OPEN', NO_SUCH_FILE, openParts('missing')],
    ['OPEN', NO_SUCH_FILE, openParts('a\0.csv')],
    ['OPEN', NO_SUCH_FILE, openParts(Buffer.from([0xff]))],
    ['OPEN', NO_SUCH_FILE, openParts('x'.repeat(20_000))],
    ['STAT', NO_SUCH_FILE, [bytes('.a.csv.7.part')]],
    ['OPENDIR', NO_SUCH_FILE, [bytes('missing')]],
    ['CLOSE', FAILURE, [bytes('unknown')]],
    ['READ', FAILURE, [bytes('unknown'), uint64(0), uint32(1)]],
    ['FSTAT', FAILURE, [bytes('unknown')]],
    ['READDIR', FAILURE, [bytes('unknown')]],
    ['WRITE', PERMISSION_DENIED, [bytes('unknown'), uint64(0), bytes('x')]],
    ['SETSTAT', PERMISSION_DENIED, [bytes('a.csv'), encode.noAttributes()]],
    ['FSETSTAT', PERMISSION_DENIED, [bytes('unknown'), encode.noAttributes()]],
    ['REMOVE', PERMISSION_DENIED, [bytes('a.csv')]],
    ['MKDIR', PERMISSION_DENIED, [bytes('new'), encode.noAttributes()]],
    ['RMDIR', PERMISSION_DENIED, [bytes('new')]],
    ['RENAME', PERMISSION_DENIED, [bytes('a.csv'), bytes('b.csv')]],
    ['READLINK', PERMISSION_DENIED, [bytes('a.csv')]],
    ['SYMLINK', PERMISSION_DENIED, [bytes('a.csv'), bytes('b.csv')]],
    ['EXTENDED', OP_UNSUPPORTED, [bytes('posix-rename@openssh.com'), bytes('a.csv'), bytes('b.csv')]],
  ] as const)('answers %s with status %d', async (name, status, parts) => {
    const { statusOf } = await startSession()
    expect(await statusOf(requestTypes[name], ...parts)).toBe(status)
  })

  test('refuses all further types', async () => {
    const { statusOf } = await startSession()
    const known = new Set<number>(Object.values(requestTypes))
    for (let type = 0; type < 256; type++)
      if (!known.has(type)) expect(await statusOf(type, bytes('a.csv'))).toBe(PERMISSION_DENIED)
  })

  test('reads a file in blocks', async () => {
    const { execute, statusOf } = await startSession()
    const handle = (await execute(requestTypes.OPEN, ...openParts('/large.csv'))).values.bytes()
    const read = (position: number, length: number) => [bytes(handle), uint64(position), uint32(length)] as const
    const answer = await execute(requestTypes.READ, ...read(0, 0xffffffff))
    expect(answer.values.bytes()).toHaveLength(limits.blockBytes)
    expect((await execute(requestTypes.READ, ...read(99_990, 100))).values.bytes()).toHaveLength(10)
    expect(await statusOf(requestTypes.READ, ...read(100_000, 1))).toBe(EOF)
    expect(await statusOf(requestTypes.READ, ...read(Number.MAX_SAFE_INTEGER, 1))).toBe(EOF)
    expect(await statusOf(requestTypes.CLOSE, bytes(handle))).toBe(OK)
    expect(await statusOf(requestTypes.READ, ...read(0, 1))).toBe(FAILURE)
  })

  test('lists a folder in several packets, without files whose upload has not ended', async () => {
    const { execute, statusOf } = await startSession()
    const handle = (await execute(requestTypes.OPENDIR, bytes('.'))).values.bytes()
    const found: string[] = []
    for (const count of [40, 40, 22]) {
      const { type, values } = await execute(requestTypes.READDIR, bytes(handle))
      expect([type, values.uint32()]).toEqual([responseTypes.NAME, count])
      for (let index = 0; index < count; index++) {
        found.push(String(values.bytes()))
        values.bytes()
        values.attributes()
      }
    }
    expect(await statusOf(requestTypes.READDIR, bytes(handle))).toBe(EOF)
    expect(found.toSorted()).toEqual(['a.csv', 'large.csv', ...names].toSorted())
  })

  test('has a bounded number of open handles', async () => {
    const { statusOf } = await startSession()
    for (let index = 0; index < serverLimits.handlesMax; index++)
      expect(await statusOf(requestTypes.OPEN, ...openParts('a.csv'))).toBeUndefined()
    expect(await statusOf(requestTypes.OPEN, ...openParts('a.csv'))).toBe(FAILURE)
    expect(await statusOf(requestTypes.OPENDIR, bytes('.'))).toBe(FAILURE)
  })

  test('closes what is open when it ends, also a folder that was not read', async () => {
    let closed = 0
    const entries: AsyncIterator<FileEntry, void> = {
      next: () => Promise.resolve({ done: true, value: undefined }),
      return() {
        closed += 1
        return Promise.resolve({ done: true, value: undefined })
      },
    }
    const { session, statusOf } = await startSession({ ...tree, list: () => Promise.resolve(entries) })
    expect(await statusOf(requestTypes.OPENDIR, bytes('.'))).toBeUndefined()
    await session.close()
    expect(closed).toBe(1)
  })

  test('answers a tree that throws with FAILURE', async () => {
    const { statusOf } = await startSession({ ...tree, stat: () => Promise.reject(new Error('defect')) })
    expect(await statusOf(requestTypes.STAT, bytes('a.csv'))).toBe(FAILURE)
  })

  test('starts with INIT, and only once', async () => {
    const { session } = await startSession()
    const init = encodePacket(requestTypes.INIT, uint32(3)).subarray(4)
    await expect(session.execute(init)).rejects.toThrow(PacketError)
    const other = createFileSession({ tree, root: '/shop', limits: serverLimits })
    const stat = encodePacket(requestTypes.STAT, uint32(1), bytes('a.csv')).subarray(4)
    await expect(other.execute(stat)).rejects.toThrow(PacketError)
  })

  test('answers or refuses random packets, and nothing else', async () => {
    const { session } = await startSession()
    const type = fc.oneof(fc.constantFrom(...Object.values(requestTypes)), fc.integer({ min: 0, max: 255 }))
    await fc.assert(
      fc.asyncProperty(type, fc.uint8Array({ maxLength: 80 }), async (first, rest) => {
        const answer = session.execute(Buffer.from([first, ...rest])).catch((error: unknown) => error)
        const result = await answer
        if (result instanceof Error) expect(result).toBeInstanceOf(PacketError)
        else expect(result).toMatchObject({ packet: expect.any(Buffer) })
      }),
    )
  })
})
