import { mkdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import type { BackgroundTask, Clock, Ids, Log, RecordSearch } from '@tollgate/operations'
import { recordSftpLogins } from '@tollgate/operations'
import { fingerprintOf } from '@tollgate/sftp'
import type { Storage } from '@tollgate/storage'
import { type Config, ConfigError } from '../config.ts'
import { sftpServerLimits } from './limits.ts'
import type { EventLoop } from '../runtime/event-loop.ts'
import type { HostKey } from './host-key.ts'
import type { SftpLogin, SftpReport, SftpStart, SftpUserKeys } from './messages.ts'
import { createMerchantFolders, filesBelow, recordFolderTask } from './record-folder.ts'
import { type SftpProcess, type SftpProcessState, superviseSftpProcess } from './supervise-process.ts'

/** The state of the SFTP server, for operators. */
export interface SftpServerState extends SftpProcessState {
  /** A line of OpenSSH, for the file `known_hosts`. */
  readonly hostKey: string
  readonly fingerprint: string
}

/** The SFTP server of this installation: its process, the keys of its users, and the files that it shows. */
export interface SftpService {
  readonly state: () => SftpServerState
  /** The tasks that each process with an SFTP server does for itself. */
  readonly tasks: readonly BackgroundTask[]
  readonly start: () => Promise<void>
  readonly stop: () => Promise<void>
}

interface Parts {
  readonly config: Pick<Config, 'data' | 'host'>
  readonly port: number
  readonly hostKey: HostKey
  readonly storage: Storage
  readonly lines: (search: RecordSearch) => AsyncIterable<Uint8Array>
  /** Whether an entity may have sessions: false for the sandbox where it is off. */
  readonly isPermitted: (entityId: string) => boolean
  readonly ids: Ids
  readonly clock: Clock
  readonly log: Log
  readonly eventLoop: EventLoop
}

/** The folder of the files, in the folder of data. They are copies of rows, and are written again if they are lost. */
const FOLDER = 'sftp-records'

/** Creates the SFTP server, which runs once it is started. */
export function createSftpService(parts: Parts): SftpService {
  const { config, port, hostKey, storage, log, eventLoop, clock } = parts
  const folder = join(config.data, FOLDER)
  const fingerprint = fingerprintOf(hostKey.digest)
  let running: SftpProcess | undefined
  let users: readonly SftpUserKeys[] | undefined
  /** The logins of the last reports, whose keys were used. */
  let logins: readonly SftpLogin[] = []

  function onReport(report: SftpReport): void {
    const { refused, rejected } = report
    logins = [...logins, ...report.logins].slice(-sftpServerLimits.sftpLoginsPerReport)
    for (const { user, fingerprint: key } of report.logins) log.info({ sftp: 'login', user, key })
    if (refused + rejected > 0) log.warn({ sftp: 'logins refused', refused, rejected })
  }

  /** Reads the keys, so that new keys are accepted and revoked keys lose their sessions, and stores their last use. */
  const keysTask: BackgroundTask = {
    name: 'sftp keys',
    everyMs: sftpServerLimits.sftpKeysEveryMs,
    pauseMs: 0,
    async step() {
      const used = logins
      logins = []
      await recordSftpLogins(parts, used)
      const current = usersOf(await storage.sftpKeys(), parts.isPermitted)
      if (JSON.stringify(current) === JSON.stringify(users)) return 'done'
      const names = current.map(({ name }) => name)
      await createMerchantFolders(folder, names)
      users = current
      running?.setUsers(current)
      return 'done'
    },
  }

  return {
    state() {
      const stopped = { state: 'stopped', pid: undefined, port: undefined, connections: 0, restarts: 0 } as const
      return { ...(running?.state() ?? stopped), hostKey: hostKey.publicKey, fingerprint }
    },
    tasks: [
      keysTask,
      recordFolderTask({
        folder,
        storage,
        lines: parts.lines,
        merchants: () => users?.map(({ name }) => name),
        clock,
        log,
        wait: eventLoop.wait,
      }),
    ],
    async start() {
      await mkdir(filesBelow(folder), { recursive: true, mode: 0o700 }).catch((error: unknown) => {
        throw new ConfigError(`${folder} cannot be created: ${error instanceof Error ? error.message : ''}`)
      })
      const start: SftpStart = {
        kind: 'start',
        hostKey: hostKey.privateKey,
        folder: await realpath(filesBelow(folder)),
        host: config.host,
        port,
        reportMs: sftpServerLimits.sftpReportMs,
        loginsPerReport: sftpServerLimits.sftpLoginsPerReport,
        niceness: sftpServerLimits.sftpNiceness,
      }
      running = superviseSftpProcess({ start, log, eventLoop, onReport })
      log.info({ sftp: 'starting', port, fingerprint })
    },
    stop: async () => running?.stop(),
  }
}

/** The users with their keys, in a fixed order. */
function usersOf(
  rows: Awaited<ReturnType<Storage['sftpKeys']>>,
  isPermitted: (entityId: string) => boolean,
): readonly SftpUserKeys[] {
  const keys = new Map<string, string[]>()
  for (const { entity_id: entityId, public_key: key, revoked_at_ms: revoked } of rows) {
    if (revoked !== null || !isPermitted(entityId)) continue
    keys.set(entityId, [...(keys.get(entityId) ?? []), key])
  }
  return [...keys].map(([name, publicKeys]) => ({ name, publicKeys }))
}
