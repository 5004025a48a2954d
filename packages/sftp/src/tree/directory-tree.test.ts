import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, renameSync, rmSync } from 'node:fs'
import { linkSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { directoryTree } from './directory-tree.ts'
import { type FileTree, isFailure, type OpenFile, type TreeFailure, type TreeWrites } from './file-tree.ts'

let home: string
let folder: string
let tree: FileTree
let writes: TreeWrites
let socket: Server

beforeEach(async () => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'tree-')))
  folder = join(home, 'files')
  mkdirSync(join(folder, 'shop/2026'), { recursive: true })
  mkdirSync(join(home, 'outside'))
  writeFileSync(join(folder, 'shop/a.csv'), 'content')
  writeFileSync(join(home, 'outside/secret.csv'), 'secret')
  symlinkSync(join(home, 'outside'), join(folder, 'shop/folder-link'))
  symlinkSync(join(home, 'outside/secret.csv'), join(folder, 'shop/file-link'))
  symlinkSync('a.csv', join(folder, 'shop/inner-link'))
  symlinkSync('missing', join(folder, 'shop/broken-link'))
  socket = createServer().listen(join(folder, 'shop/socket'))
  tree = await directoryTree(folder)
  const writable = await directoryTree(folder, { access: 'read-write', spaceBytes: 1_000 })
  if (!writable.writes) throw new Error('the tree is read-only')
  writes = writable.writes
})

afterEach(() => {
  socket.close()
  rmSync(home, { recursive: true })
})

async function opened<T extends OpenFile>(file: Promise<T | TreeFailure>): Promise<T> {
  const result = await file
  if (isFailure(result)) throw new Error(`the file was not opened: ${result}`)
  return result
}

async function listed(path: string): Promise<readonly string[]> {
  const entries = await tree.list(path)
  if (isFailure(entries)) return [entries]
  const names: string[] = []
  for (let next = await entries.next(); next.done !== true; next = await entries.next()) names.push(next.value.name)
  return names.toSorted()
}

const mode = { reads: true, creates: true, truncates: false, isExclusive: false }

describe('a tree over a folder', () => {
  test('has the files and folders, and neither links nor special files', async () => {
    expect(await listed('/shop')).toEqual(['2026', 'a.csv'])
    expect(await listed('/')).toEqual(['shop'])
    expect(await tree.stat('/shop/a.csv')).toMatchObject({ kind: 'file', sizeBytes: 7 })
    expect(await tree.stat('/')).toMatchObject({ kind: 'folder' })
    expect(tree.writes).toBeUndefined()
  })

  test.each(['file-link', 'inner-link', 'broken-link', 'folder-link', 'folder-link/secret.csv', 'socket', 'a.csv/b'])(
    'has no %s',
    async (name) => {
      const path = `/shop/${name}`
      expect(await tree.stat(path)).toBe('noSuchFile')
      expect(await tree.open(path)).toBe('noSuchFile')
      expect(await listed(path)).toEqual(['noSuchFile'])
      expect(await writes.open(path, mode)).toMatch(/noSuchFile|failed/)
      expect(readFileSync(join(home, 'outside/secret.csv'), 'utf8')).toBe('secret')
      expect(readdirSync(join(home, 'outside'))).toEqual(['secret.csv'])
    },
  )

  test('refuses to open a folder as a file, and a file as a folder', async () => {
    expect(await tree.open('/shop')).toMatch(/noSuchFile|failed/)
    expect(await listed('/shop/a.csv')).toEqual(['failed'])
  })

  test('reads from any position', async () => {
    const file = await opened(tree.open('/shop/a.csv'))
    expect(String(await file.read(0, 3))).toBe('con')
    expect(String(await file.read(5, 100))).toBe('nt')
    expect(await file.read(7, 10)).toHaveLength(0)
    await file.close()
    expect(await file.read(0, 1)).toBe('failed')
  })

  test('stays below its folder when a folder is replaced by a link', async () => {
    renameSync(join(folder, 'shop/2026'), join(home, 'moved'))
    symlinkSync(join(home, 'outside'), join(folder, 'shop/2026'))
    expect(await tree.open('/shop/2026/secret.csv')).toBe('noSuchFile')
    expect(await writes.remove('/shop/2026/secret.csv')).toBe('noSuchFile')
    expect(await writes.rename('/shop/a.csv', '/shop/2026/a.csv', true)).toBe('noSuchFile')
    expect(readdirSync(join(home, 'outside'))).toEqual(['secret.csv'])
  })
})

describe('a tree that clients may change', () => {
  test('writes, renames and removes files', async () => {
    const file = await opened(writes.open('/shop/b.csv', { ...mode, isExclusive: true }))
    const bytes = randomBytes(100)
    expect(await file.write(50, bytes.subarray(50))).toBeUndefined()
    expect(await file.write(0, bytes.subarray(0, 50))).toBeUndefined()
    expect(await file.sync()).toBeUndefined()
    await file.close()
    expect(readFileSync(join(folder, 'shop/b.csv'))).toEqual(bytes)
    expect(await writes.open('/shop/b.csv', { ...mode, isExclusive: true })).toBe('exists')
    expect(await writes.rename('/shop/b.csv', '/shop/a.csv', false)).toBe('exists')
    expect(await writes.rename('/shop/b.csv', '/shop/c.csv', false)).toBeUndefined()
    expect(await writes.rename('/shop/c.csv', '/shop/a.csv', true)).toBeUndefined()
    expect(readFileSync(join(folder, 'shop/a.csv'))).toEqual(bytes)
    expect(await writes.remove('/shop/a.csv')).toBeUndefined()
    expect(await writes.remove('/shop/a.csv')).toBe('noSuchFile')
    expect(await listed('/shop')).toEqual(['2026'])
  })

  test('creates and removes folders, but not its root', async () => {
    expect(await writes.createFolder('/shop/new')).toBeUndefined()
    expect(await writes.createFolder('/shop/new')).toBe('exists')
    expect(await writes.removeFolder('/shop')).toBe('exists')
    expect(await writes.removeFolder('/shop/new')).toBeUndefined()
    for (const change of [writes.remove, writes.createFolder, writes.removeFolder])
      expect(await change('/')).toBe('permissionDenied')
    expect(await writes.rename('/shop', '/other', true)).toBe('permissionDenied')
  })

  test('has no space after its bytes', async () => {
    const file = await opened(writes.open('/shop/b.csv', mode))
    expect(await file.write(0, Buffer.alloc(600))).toBeUndefined()
    expect(await file.write(0, Buffer.alloc(600))).toBeUndefined()
    expect(await file.write(600, Buffer.alloc(401))).toBe('noSpace')
    expect(await file.write(600, Buffer.alloc(400))).toBeUndefined()
    expect(await file.write(2 ** 40, Buffer.alloc(1))).toBe('noSpace')
    await file.close()
  })

  test('truncates a file only if it is a regular one', async () => {
    linkSync(join(folder, 'shop/a.csv'), join(folder, 'shop/hard-link'))
    const file = await opened(writes.open('/shop/a.csv', { ...mode, truncates: true }))
    expect(await file.info()).toMatchObject({ sizeBytes: 0 })
    await file.close()
    await writes.open('/shop/file-link', { ...mode, truncates: true })
    expect(readFileSync(join(home, 'outside/secret.csv'), 'utf8')).toBe('secret')
  })
})
