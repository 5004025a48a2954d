import { type ChildProcess, fork } from 'node:child_process'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Log } from '@tollgate/operations'
import { Value } from 'typebox/value'
import { sftpServerLimits } from './limits.ts'
import type { EventLoop } from '../runtime/event-loop.ts'
import { FromSftpProcess, type SftpReport, type SftpStart, type SftpUserKeys, type ToSftpProcess } from './messages.ts'

/** The state of the process, for operators. */
export interface SftpProcessState {
  /** waiting: it has ended and is started again after a wait. */
  readonly state: 'starting' | 'listening' | 'waiting' | 'stopped'
  readonly pid: number | undefined
  readonly port: number | undefined
  readonly connections: number
  /** How often it was started again. */
  readonly restarts: number
}

/** The process of the SFTP server, which is started again whenever it ends. */
export interface SftpProcess {
  readonly state: () => SftpProcessState
  /** Replaces the users, also for the next process. */
  readonly setUsers: (users: readonly SftpUserKeys[]) => void
  readonly stop: () => Promise<void>
}

interface Parts {
  readonly start: SftpStart
  readonly log: Log
  readonly eventLoop: Pick<EventLoop, 'now' | 'startTimer'>
  readonly onReport: (report: SftpReport) => void
}

const program = fileURLToPath(new URL('sftp-process.js', import.meta.url))

/**
 * The options by which Node permits the process to read the program and a folder, and neither to write files nor to
 * start programs. The program is bundled, or else it and its packages are below the folder of all packages.
 */
function permissions(folder: string): readonly string[] {
  const isBundled = basename(dirname(program)) !== 'sftp-server'
  const code = isBundled ? dirname(program) : join(dirname(program), '../../../..')
  const major = Number(process.versions.node.split('.')[0])
  return [
    major >= 24 ? '--permission' : '--experimental-permission',
    '--disable-warning=ExperimentalWarning',
    '--disable-warning=SecurityWarning',
    ...[code, folder].map((path) => `--allow-fs-read=${path}/*`),
  ]
}

/**
 * Starts the process and keeps it running: one that has ended, or reports nothing for a while, is replaced after a wait
 * that grows. It has no environment, so it inherits no secret, a bounded heap, and less of the processor than payments.
 */
export function superviseSftpProcess({ start, log, eventLoop, onReport }: Parts): SftpProcess {
  let users: readonly SftpUserKeys[] = []
  let child: ChildProcess | undefined
  let endTimer: () => void = () => undefined
  let state: SftpProcessState = { state: 'starting', pid: undefined, port: undefined, connections: 0, restarts: 0 }
  let restartMs: number = sftpServerLimits.sftpRestartMs
  let startedAtMs = 0
  let isStopping = false

  const send = (message: ToSftpProcess): void =>
    void (child?.connected === true && child.send(message, () => undefined))
  const expectMessage = (): void => {
    endTimer()
    endTimer = eventLoop.startTimer(sftpServerLimits.sftpSilenceMsMax, () => child?.kill('SIGKILL'))
  }

  function onMessage(sent: unknown): void {
    if (!Value.Check(FromSftpProcess, sent)) return void child?.kill('SIGKILL')
    expectMessage()
    if (sent.kind === 'listening') {
      state = { ...state, state: 'listening', port: sent.port }
      log.info({ sftp: 'listening', port: sent.port })
    } else if (sent.kind === 'failed') log.error({ sftp: 'cannot listen', code: sent.code })
    else {
      state = { ...state, connections: sent.connections }
      onReport(sent)
    }
  }

  function onEnd(code: number | null, signal: string | null): void {
    endTimer()
    child = undefined
    if (isStopping) return
    if (eventLoop.now() - startedAtMs >= sftpServerLimits.sftpStableMs) restartMs = sftpServerLimits.sftpRestartMs
    log.error({ sftp: 'process ended', reason: signal ?? String(code), restartMs })
    state = { state: 'waiting', pid: undefined, port: undefined, connections: 0, restarts: state.restarts + 1 }
    endTimer = eventLoop.startTimer(restartMs, launch)
    restartMs = Math.min(restartMs * 2, sftpServerLimits.sftpRestartMsMax)
  }

  function launch(): void {
    startedAtMs = eventLoop.now()
    const started = fork(program, [], {
      env: {},
      execArgv: [`--max-old-space-size=${sftpServerLimits.sftpHeapMegabytes}`, ...permissions(start.folder)],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    child = started
    state = { ...state, state: 'starting', pid: started.pid }
    started.on('error', () => undefined)
    started.on('message', onMessage)
    started.on('exit', onEnd)
    expectMessage()
    send(start)
    send({ kind: 'users', users })
  }

  launch()
  return {
    state: () => state,
    setUsers(list) {
      users = list
      send({ kind: 'users', users })
    },
    async stop() {
      isStopping = true
      endTimer()
      state = { ...state, state: 'stopped', port: undefined, connections: 0 }
      const ending = child
      if (ending === undefined) return
      await new Promise<void>((resolve) => {
        const endKill = eventLoop.startTimer(sftpServerLimits.sftpStopMs, () => ending.kill('SIGKILL'))
        ending.on('exit', () => {
          endKill()
          resolve()
        })
        if (ending.connected) ending.disconnect()
        else ending.kill('SIGKILL')
      })
    },
  }
}
