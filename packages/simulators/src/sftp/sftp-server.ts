import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { directoryTree, type FileTree, fingerprintOf, generateHostKey, publicHostKey } from '@tollgate/sftp'
import { startSftpServer, type TreeWrites } from '@tollgate/sftp'
import type { ListenerAddress } from '../acquirer/acquirer.ts'
import { limits } from '../limits.ts'

/** Options of the simulated SFTP server. */
export interface SimulatedSftpOptions {
  /** 0 selects any free port. */
  readonly port: number
  /** The folder of the host key and of the files. */
  readonly folder: string
  /** The public keys of both users, as lines of OpenSSH. */
  readonly publicKeys: readonly string[]
}

/** A running SFTP server. */
export interface SimulatedSftp {
  readonly address: ListenerAddress
  /** The fingerprint of the host key, `SHA256:…`. */
  readonly hostKey: string
  readonly close: () => Promise<void>
}

/** The users, which are also the names of their folders. */
const sftpUsers = { settlement: 'settlement', records: 'records' } as const

/** The folder of the settlement files. */
export const settlementFolderOf = ({ folder }: SimulatedSftpOptions): string => join(folder, sftpUsers.settlement)

/**
 * Starts an SFTP server that stands for the servers of an acquirer and of a merchant: the user `settlement` reads the
 * settlement files, and the user `records` receives files in a folder of their own. The host key is created at the
 * first start.
 *
 * @throws Error if the folder cannot be used, a public key is invalid, or the port cannot be opened
 */
export async function startSimulatedSftp(host: string, options: SimulatedSftpOptions): Promise<SimulatedSftp> {
  const { folder, port, publicKeys } = options
  for (const name of Object.values(sftpUsers)) await mkdir(join(folder, name), { recursive: true, mode: 0o700 })
  const hostKey = await readHostKey(join(folder, 'host-key'))
  const roots = new Map<string, string>(Object.values(sftpUsers).map((name) => [name, `/${name}`]))
  const server = await startSftpServer({
    hostKeys: [hostKey],
    users(name) {
      const root = roots.get(name)
      return root === undefined ? undefined : { root, publicKeys }
    },
    tree: withRecordsOnly(await directoryTree(folder, { access: 'read-write', spaceBytes: limits.sftpBytesMax })),
    listen: { host, port },
    limits: { connectionsMax: limits.connectionsMax },
  })
  return {
    address: { host, port: server.port },
    hostKey: fingerprintOf(publicHostKey(hostKey).digest),
    close: server.close,
  }
}

async function readHostKey(path: string): Promise<string> {
  if (!existsSync(path)) await writeFile(path, generateHostKey(), { mode: 0o600, flag: 'wx' })
  return readFile(path, 'latin1')
}

/** The tree, in which clients can change the folder of the records only. */
function withRecordsOnly({ writes, ...tree }: FileTree): FileTree {
  if (!writes) return tree
  const isChangeable = (path: string): boolean => path.startsWith(`/${sftpUsers.records}/`)
  const checked: TreeWrites = {
    open: async (path, mode) => (isChangeable(path) ? writes.open(path, mode) : 'permissionDenied'),
    rename: async (from, to, replaces) =>
      isChangeable(from) && isChangeable(to) ? writes.rename(from, to, replaces) : 'permissionDenied',
    remove: async (path) => (isChangeable(path) ? writes.remove(path) : 'permissionDenied'),
    createFolder: async (path) => (isChangeable(path) ? writes.createFolder(path) : 'permissionDenied'),
    removeFolder: async (path) => (isChangeable(path) ? writes.removeFolder(path) : 'permissionDenied'),
  }
  return { ...tree, writes: checked }
}
