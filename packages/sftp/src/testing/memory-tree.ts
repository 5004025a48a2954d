import type { FileTree } from '../tree/file-tree.ts'

/** A tree of one folder `/shop`, whose files are bytes in memory. @param onRead is called for each read */
export function memoryTree(files: Readonly<Record<string, Buffer>>, onRead = (): void => undefined): FileTree {
  const info = (content: Buffer) => ({ kind: 'file', sizeBytes: content.length, modifiedAtMs: 0 }) as const
  const find = (path: string): Buffer | undefined => files[path.replace(/^\/shop\//, '')]
  async function* entries() {
    for (const [name, content] of Object.entries(files)) yield await Promise.resolve({ name, ...info(content) })
  }
  return {
    stat(path) {
      const content = find(path)
      if (path === '/shop') return Promise.resolve({ kind: 'folder', sizeBytes: 0, modifiedAtMs: 0 })
      return Promise.resolve(content ? info(content) : 'noSuchFile')
    },
    list: (path) => Promise.resolve(path === '/shop' ? entries() : 'noSuchFile'),
    open(path) {
      const content = find(path)
      if (content === undefined) return Promise.resolve('noSuchFile')
      return Promise.resolve({
        info: () => Promise.resolve(info(content)),
        read(position, bytesMax) {
          onRead()
          return Promise.resolve(content.subarray(position, position + bytesMax))
        },
        close: () => Promise.resolve(),
      })
    },
  }
}
