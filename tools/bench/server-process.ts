import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync, readSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '@tollgate/storage/testing'
import { BenchError } from './bench-error.ts'
import { limits } from './limits.ts'
import { killAtExit, scratch } from './clean-up.ts'

/** A server in a process of its own that listens on 127.0.0.1. */
export interface ServerProcess {
  readonly pid: number
  readonly url: string
  /** Sends SIGTERM to the process, and resolves when it has exited; rejects unless it exits in time and with 0. */
  stop(): Promise<void>
}

export interface BenchGateway extends ServerProcess {
  readonly manageUrl: string
}

export const gatewayMain = fileURLToPath(new URL('../../../dist/tollgate.js', import.meta.url))
/** The unbundled build: each module is a file, so that a profile can attribute time to it. */
export const gatewayModules = fileURLToPath(new URL('../../../packages/cli/dist/main.js', import.meta.url))
const bareMain = fileURLToPath(new URL('bare-fastify.js', import.meta.url))
const upstreamMain = fileURLToPath(new URL('upstream-stub.js', import.meta.url))
const receiverMain = fileURLToPath(new URL('webhook-receiver.js', import.meta.url))
/** The options of `npm start`, also for the baselines. */
const nodeOptionsOfStart = ['--max-semi-space-size=32', '--v8-pool-size=1']
let processCount = 0

/**
 * Starts the gateway as an operator does: in its own process, with log level info to a file and with the sandbox.
 *
 * @param data the data folder, which is created if it does not exist
 * @param nodeOptions options for Node itself, such as --cpu-prof
 * @param settings further settings of the gateway
 * @param main the program
 * @throws BenchError if it does not start
 */
export async function serveGateway(
  data: string,
  nodeOptions: readonly string[] = [],
  settings: Readonly<Record<string, string>> = {},
  main = gatewayMain,
): Promise<BenchGateway> {
  const managePort = await freePort()
  const ownSettings = { PORT: '0', TOLLGATE_MANAGE_PORT: managePort, TOLLGATE_DATA: data, TOLLGATE_LOG: 'info' }
  const env = { ...ownSettings, ...settings }
  const server = await serve([...nodeOptions, main, 'serve'], env)
  return { ...server, manageUrl: `http://127.0.0.1:${managePort}/manage/v1` }
}

/**
 * Starts the baseline: Fastify that parses the same form and answers the JSON of `answerFile`.
 *
 * @param isSerialised whether the JSON is serialised once, in advance, instead of for each answer
 * @throws BenchError if it does not start
 */
export function serveBare(answerFile: string, isSerialised: boolean): Promise<ServerProcess> {
  return serve([bareMain, answerFile, ...(isSerialised ? ['ready'] : [])], {})
}

/** Simulators in a process of their own, with the host of an acquirer. */
export interface Simulators extends ServerProcess {
  /** Replaces the faults of the acquirer's host. */
  setFaults(faults: readonly { readonly knob: string; readonly value: number }[]): Promise<void>
}

/** Starts the simulators, with an acquirer's host that listens on `acquirerPort`. */
export async function serveSimulators(acquirerPort: string): Promise<Simulators> {
  const server = await serve([gatewayMain, 'simulate', '--port', '0', '--acquirer-port', acquirerPort], {})
  return {
    ...server,
    async setFaults(faults) {
      const answer = await fetch(`${server.url}/acquirer/faults`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(faults),
        signal: AbortSignal.timeout(limits.requestMs),
      })
      if (!answer.ok) throw new BenchError(`faults of the host were answered with ${answer.status}`)
    },
  }
}

/** Starts a provider in the place of another gateway, which approves every payment. */
export const serveUpstream = (): Promise<ServerProcess> => serve([upstreamMain], {})

/** Starts one process that receives webhooks at several endpoints. Its url is the address of its control interface. */
export function serveReceiver(endpoints: number): Promise<ServerProcess> {
  return serve([receiverMain, String(endpoints)], {})
}

async function serve(args: readonly string[], settings: Readonly<Record<string, string>>): Promise<ServerProcess> {
  processCount += 1
  const output = scratch(`output-${processCount}.log`)
  const file = openSync(output, 'w')
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, NODE_ENV: 'production', HOST: '127.0.0.1', ...settings }
  const child = spawn(process.execPath, [...nodeOptionsOfStart, ...args], {
    stdio: ['ignore', file, file],
    env,
    cwd: scratch(),
  })
  closeSync(file)
  killAtExit(child)
  const url = await addressIn(output, child)
  return { pid: child.pid ?? 0, url, stop: () => stop(child, output) }
}

/** Waits for the line with the address of the listener. */
async function addressIn(output: string, child: ChildProcess): Promise<string> {
  const deadlineMs = performance.now() + limits.readyMs
  while (performance.now() < deadlineMs && child.exitCode === null) {
    const address = /listening on (http:\/\/127\.0\.0\.1:\d+)\n/.exec(headOf(output))?.[1]
    if (address !== undefined) return address
    await delay(limits.readyPollMs)
  }
  throw new BenchError(`a server did not start: ${tailOf(output)}`)
}

async function stop(child: ChildProcess, output: string): Promise<void> {
  if (child.exitCode === null) {
    const exited = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGTERM')
    await Promise.race([exited, delay(limits.stopMs, undefined, { ref: false })])
  }
  if (child.exitCode !== 0) throw new BenchError(`a server did not stop cleanly: ${tailOf(output)}`)
}

function headOf(output: string): string {
  const head = Buffer.alloc(limits.outputBytes)
  const file = openSync(output, 'r')
  const bytes = readSync(file, head, 0, head.length, 0)
  closeSync(file)
  return head.toString('utf8', 0, bytes)
}

function tailOf(output: string): string {
  return readFileSync(output).subarray(-limits.outputBytes).toString('utf8').trim() || 'no output'
}
