import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Connector, RemoteConnector } from '@tollgate/connectors'
import type { Storage } from '@tollgate/storage'
import type { FastifyInstance } from 'fastify'
import {
  type Clock,
  type DirectoryServer,
  type Log,
  type LogFields,
  sandboxIds,
  sandboxToken,
} from '@tollgate/operations'
import { composeGateway, type OptionalParts } from '../compose.ts'
import { readConfig } from '../config.ts'
import type { Gateway } from '../gateway.ts'
import { manageServer } from '../http/manage/server.ts'
import { publicServer } from '../http/public/server.ts'
import { generateKeys } from '../keys/generate-keys.ts'
import { openKeys } from '../keys/open-keys.ts'
import { createOutgoingClient } from '../outgoing/create-outgoing-client.ts'
import { checkAnswer } from './check-answer.ts'
import { testStorage } from './test-storage.ts'

/** An answer for assertions. */
export interface TestAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly text: string
  /** The parsed body. Its type is `any`, because tests read members of many different answers. */
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any
}

/** The HTTP status and the result code of an answer. */
export const summary = ({ status, body }: TestAnswer): readonly [status: number, code: string] => [
  status,
  body.result.code,
]

/** Parameters of a form, or headers. Parameters and headers that are undefined are left out. */
export type Parameters = Readonly<Record<string, string | undefined>>

/** Any request to the public listener. */
export interface TestRequest {
  readonly method: 'GET' | 'POST' | 'DELETE' | 'PUT' | 'PATCH' | 'HEAD' | 'OPTIONS'
  readonly url: string
  readonly headers?: Parameters
  readonly payload?: string | Buffer
  /** The client's address; 127.0.0.1 by default. */
  readonly remoteAddress?: string
}

/** Options of a test gateway. The defaults are the storage of the test's project and a new data folder. */
export interface TestGatewayOptions {
  readonly storage?: Storage
  /** A data folder that several gateways use in turn or together; `close` does not remove it. */
  readonly data?: string
  /** Environment variables with settings. */
  readonly env?: Readonly<Record<string, string>>
  /** The acquirer; by default the simulator. */
  readonly connector?: Connector
  /** Banks to which shoppers are redirected. */
  readonly redirects?: RemoteConnector
  readonly directoryServer?: DirectoryServer
  /** Creates the connector of payments with the test mode EXTERNAL. */
  readonly external?: OptionalParts['external']
  /** By default that of the machine. */
  readonly eventLoop?: OptionalParts['eventLoop']
}

/** The whole gateway without listeners, with a clock that only the test changes. */
export interface TestGateway {
  readonly gateway: Gateway
  readonly clock: Clock & { nowMs: number }
  readonly server: FastifyInstance
  /** Every line that was logged. */
  readonly logged: readonly Readonly<Record<string, unknown>>[]
  /** Sends a form with the sandbox's token and channel. Every answer is checked against the contract. */
  readonly send: (
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    parameters?: Parameters,
    headers?: Parameters,
  ) => Promise<TestAnswer>
  /** Sends a request without adding credentials or a channel. The answer is checked against the contract. */
  readonly request: (request: TestRequest) => Promise<TestAnswer>
  /** Sends a request of an operator, by default with the configured management key. Bytes are sent as a file. */
  readonly manage: (
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: object,
    key?: string,
    accept?: string,
    headers?: Parameters,
  ) => Promise<TestAnswer>
  close(): Promise<void>
}

/** 2026-05-04 03:02:01 UTC, a Monday. */
const START_MS = Date.UTC(2026, 4, 4, 3, 2, 1)

export const FORM = 'application/x-www-form-urlencoded; charset=UTF-8'

/**
 * Composes the gateway as `startGateway` does, except for storage, clock, log and TLS. The acquirer, redirects and the
 * directory server are options of the test. The gateway has no tombstone log, and neither jobs nor background
 * tasks are started.
 */
export async function testGateway({
  storage: ownStorage,
  data,
  env = {},
  connector,
  redirects,
  directoryServer,
  external,
  eventLoop,
}: TestGatewayOptions = {}): Promise<TestGateway> {
  const storage = ownStorage ?? (await testStorage())
  const folder = data ?? createFolder()
  const config = readConfig({ TOLLGATE_DATA: folder, TOLLGATE_LOG: 'silent', ...env })
  const clock = { nowMs: START_MS, now: () => clock.nowMs }
  const logged: Readonly<Record<string, unknown>>[] = []
  const record = (level: string) => (fields: LogFields) => void logged.push({ level, ...fields })
  const log: Log = { info: record('info'), warn: record('warn'), error: record('error'), flush: () => undefined }
  const keys = await openKeys(config, storage)
  const outgoing = createOutgoingClient({ environment: 'test' })
  const parts = {
    log,
    ...(connector && { connector }),
    redirects,
    directoryServer,
    external,
    ...(eventLoop && { eventLoop }),
  }
  const gateway = await composeGateway(config, clock, storage, keys, outgoing, parts)
  // The servers are created at their first request.
  let publicListener: FastifyInstance | undefined
  let manageListener: FastifyInstance | undefined
  const server = () => (publicListener ??= publicServer(gateway))
  const serverOfOperators = () => (manageListener ??= manageServer(gateway))

  const request: TestGateway['request'] = async ({ headers = {}, ...sent }) => {
    const response = await server().inject({ ...sent, headers: withoutUndefined(headers) })
    const { method, url } = sent
    const answer = answerOf(response)
    const contentType = String(answer.headers['content-type'])
    checkAnswer({ method, url, status: answer.status, contentType, text: answer.text })
    return answer
  }
  return {
    gateway,
    clock,
    get server() {
      return server()
    },
    logged,
    request,
    send(method, path, parameters = {}, headers = {}) {
      const form = formOf({ entityId: sandboxIds.channel, ...parameters })
      const authorization = `Bearer ${sandboxToken}`
      if (method !== 'POST') {
        return request({ method, url: `${path}?${form}`, headers: { authorization, ...headers } })
      }
      return request({
        method,
        url: path,
        headers: { authorization, 'content-type': FORM, ...headers },
        payload: form,
      })
    },
    async manage(method, path, body, key = config.manageKey, accept = 'application/json', others = {}) {
      const isFile = body instanceof Uint8Array
      const contentType = isFile ? 'application/octet-stream' : 'application/json'
      const type = body && { 'content-type': contentType }
      const headers = { authorization: `Bearer ${key}`, accept, ...type, ...others }
      const url = `/manage/v1${path}`
      const payload = isFile ? Buffer.from(body) : body && JSON.stringify(body)
      return answerOf(await serverOfOperators().inject({ method, url, headers, ...(payload && { payload }) }))
    },
    async close() {
      await Promise.all([publicListener?.close(), manageListener?.close(), gateway.outgoing.close()])
      await storage.close()
      if (data === undefined) rmSync(folder, { recursive: true, force: true })
    },
  }
}

/**
 * The content of the key file in each created folder. All gateways share these keys, because a gateway that generates
 * its own also syncs them to disk, which is slow.
 */
const keyFile = generateKeys()

/** Creates a data folder with keys. */
function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-test-'))
  writeFileSync(join(folder, 'keys.json'), keyFile, { mode: 0o600 })
  return folder
}

/** The form of a card payment that the simulator approves. */
export function cardPayment(changes: Parameters = {}): Parameters {
  return {
    amount: '92.00',
    currency: 'EUR',
    paymentBrand: 'VISA',
    paymentType: 'DB',
    'card.number': '4200000000000000',
    'card.holder': 'Jane Jones',
    'card.expiryMonth': '05',
    'card.expiryYear': '2034',
    'card.cvv': '123',
    ...changes,
  }
}

/** The card of `cardPayment` without the payment, for registrations. */
export function cardWithoutPayment(changes: Parameters = {}): Parameters {
  return cardPayment({ amount: undefined, currency: undefined, paymentType: undefined, ...changes })
}

/** A form body, percent-encoded. */
export function formOf(parameters: Parameters): string {
  return new URLSearchParams(withoutUndefined(parameters)).toString()
}

function withoutUndefined(parameters: Parameters): Record<string, string> {
  const pairs = Object.entries(parameters).filter((pair): pair is [string, string] => pair[1] !== undefined)
  return Object.fromEntries(pairs)
}

/** The answer; its body is parsed unless it is text, such as a page or CSV. */
function answerOf(response: { statusCode: number; headers: object; body: string }): TestAnswer {
  const { statusCode: status, body: text } = response
  const headers: Readonly<Record<string, unknown>> = { ...response.headers }
  const isText = String(headers['content-type']).startsWith('text/')
  return { status, headers, text, body: isText || text === '' ? undefined : JSON.parse(text) }
}

/** The body of an answer without timestamp and ndc, which differ even between two answers about one payment. */
export function comparableBody(answer: TestAnswer): Readonly<Record<string, unknown>> {
  return { ...answer.body, timestamp: undefined, ndc: undefined }
}
