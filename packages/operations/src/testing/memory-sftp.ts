import type { Gateway } from '@tollgate/gateway/testing'
import type { SftpClient, SftpFault, SftpSession } from '../ports/sftp-client.ts'

/** A file of the server. */
interface StoredFile {
  readonly content: Buffer
  readonly modifiedAtMs: number
}

/** An SFTP server in memory, in place of all servers. */
export interface MemorySftp {
  /** The files by their paths. */
  readonly files: Map<string, StoredFile>
  /** The servers and credentials of the connections, in order. */
  readonly connections: unknown[]
  /** Paths that are no files. */
  readonly links: Set<string>
  /** The fault of each further operation; undefined: they succeed. */
  fault: SftpFault | undefined
  /** The faults of fetching files, by their paths, and of moving files, by the folders to which they are moved. */
  readonly faults: Map<string, SftpFault>
  /** The sent parts of files whose deliveries were broken off, by path and delivery. */
  readonly parts: Map<string, Buffer>
  /** The places from which deliveries began to send, in order. */
  readonly sentFrom: number[]
  /** Breaks transfers off after so many bytes; undefined: none. */
  breakAfterBytes: number | undefined
  /** Runs while a file is fetched, after its first chunk. */
  onFetch: () => void
}

/** Replaces the SFTP client of a gateway. */
export function useMemorySftp({ gateway }: { readonly gateway: Gateway }): MemorySftp {
  const server: MemorySftp = {
    files: new Map(),
    connections: [],
    links: new Set(),
    fault: undefined,
    faults: new Map(),
    parts: new Map(),
    sentFrom: [],
    breakAfterBytes: undefined,
    onFetch: () => undefined,
  }
  const { files } = server
  const faultOr = <T>(value: T) => (server.fault ? { error: server.fault } : { value })
  const noSuchFile = { error: { kind: 'noSuchFile', message: 'There is no such file.' } } as const
  const closed = { error: { kind: 'closed', message: 'The connection was closed.' } } as const
  const isBrokenAfter = (bytes: number) => bytes >= (server.breakAfterBytes ?? Number.POSITIVE_INFINITY)

  const session: SftpSession = {
    async deliver(path, source, deliveryId) {
      if (server.fault) return { error: server.fault }
      const key = `${path} ${deliveryId}`
      let content = server.parts.get(key) ?? Buffer.alloc(0)
      const from = content.length
      server.sentFrom.push(from)
      for await (const chunk of source.read(from)) {
        content = Buffer.concat([content, chunk])
        server.parts.set(key, content)
        if (isBrokenAfter(content.length - from)) return closed
      }
      if (content.length !== source.sizeBytes) throw new Error('the source has another size')
      server.parts.delete(key)
      files.set(path, { content, modifiedAtMs: gateway.clock.now() })
      return { value: undefined }
    },
    async fetchFile(path, sink, bytesMax) {
      const content = files.get(path)?.content
      const fault = server.fault ?? server.faults.get(path)
      if (fault) return { error: fault }
      if (!content) return noSuchFile
      if (content.length > bytesMax) return { error: { kind: 'tooLarge', message: 'The file is too large.' } }
      for (let at = 0; at < content.length; at += 1_000) {
        if (isBrokenAfter(at + 1)) return closed
        await sink(content.subarray(at, at + 1_000))
        server.onFetch()
      }
      return { value: files.get(path)?.content.length ?? 0 }
    },
    async list(folder) {
      const inFolder = [...files].filter(([path]) => path.slice(0, path.lastIndexOf('/')) === folder)
      return faultOr(
        inFolder.map(([path, { content, modifiedAtMs }]) => ({
          name: path.slice(path.lastIndexOf('/') + 1),
          kind: server.links.has(path) ? ('other' as const) : ('file' as const),
          sizeBytes: content.length,
          modifiedAtMs,
        })),
      )
    },
    async remove(path) {
      return files.delete(path) ? faultOr(undefined) : noSuchFile
    },
    async rename(from, to) {
      const file = files.get(from)
      const fault = server.faults.get(to.slice(0, to.lastIndexOf('/')))
      if (fault) return { error: fault }
      if (!file) return noSuchFile
      files.delete(from)
      files.set(to, file)
      return { value: undefined }
    },
    close: async () => undefined,
  }
  const client: Pick<SftpClient, 'connect'> = {
    async connect(address, credentials) {
      server.connections.push({ ...address, ...credentials })
      return faultOr(session)
    },
  }
  Object.assign(gateway.sftp, client)
  return server
}

/** The settings of a target of the sandbox's merchant, for the management API. */
export const targetOf = (entityId: string, changes: object = {}) => ({
  entityId,
  purpose: 'reconciliationRecord',
  server: { host: '127.0.0.1', port: 2222, username: 'tollgate', hostKeys: [`SHA256:${'A'.repeat(43)}`] },
  folder: '/in',
  schedule: { hour: 6, timeZone: 'UTC' },
  credentials: { password: 'a long password' },
  ...changes,
})
