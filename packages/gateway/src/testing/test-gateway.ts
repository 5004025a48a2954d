import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openMemory, type Storage } from '@tollgate/storage'
import type { FastifyInstance } from 'fastify'
import type { Clock } from '../clock.ts'
import { composeGateway } from '../compose.ts'
import { readConfig } from '../config.ts'
import type { Gateway } from '../gateway.ts'
import { manageServer } from '../http/manage/server.ts'
import { publicServer } from '../http/public/server.ts'
import { sandboxIds, sandboxToken } from '../sandbox.ts'

/** An answer as a test looks at it. */
export interface TestAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly text: string
  /** The parsed body; tests reach into answers of any shape. */
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any
}

type Parameters = Readonly<Record<string, string | undefined>>

/** The whole gateway over the in-memory storage, without sockets, with a clock that stands still until it is moved. */
export interface TestGateway {
  readonly gateway: Gateway
  readonly clock: Clock & { nowMs: number }
  /** A form with the sandbox's token and channel; parameters set to undefined are left out. */
  send(method: 'GET' | 'POST' | 'DELETE', path: string, parameters?: Parameters, headers?: Parameters): Promise<TestAnswer>
  /** Any request to the public listener. */
  readonly server: FastifyInstance
  manage(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object, key?: string): Promise<TestAnswer>
  close(): Promise<void>
}

/** 2026-05-04 03:02:01 UTC, a Monday. */
const START_MS = Date.UTC(2026, 4, 4, 3, 2, 1)

/** @param storage the in-memory one unless given */
export async function testGateway(storage: Storage = openMemory()): Promise<TestGateway> {
  const data = mkdtempSync(join(tmpdir(), 'tollgate-test-'))
  const config = readConfig({ TOLLGATE_DATA: data, TOLLGATE_LOG: 'silent' })
  const clock = { nowMs: START_MS, now: () => clock.nowMs }
  const gateway = await composeGateway(config, clock, storage)
  const server = publicServer(gateway)
  const operators = manageServer(gateway)
  return {
    gateway,
    clock,
    server,
    async send(method, path, parameters = {}, headers = {}) {
      const form = new URLSearchParams(present({ entityId: sandboxIds.channel, ...parameters }))
      const response = await server.inject({
        method,
        url: method === 'POST' ? path : `${path}?${form}`,
        headers: present({
          authorization: `Bearer ${sandboxToken}`,
          ...(method === 'POST' && { 'content-type': 'application/x-www-form-urlencoded; charset=UTF-8' }),
          ...headers,
        }),
        ...(method === 'POST' && { payload: String(form) }),
      })
      return answerOf(response)
    },
    async manage(method, path, body, key = config.manageKey) {
      const headers = { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) }
      const url = `/manage/v1${path}`
      return answerOf(await operators.inject({ method, url, headers, ...(body && { payload: JSON.stringify(body) }) }))
    },
    async close() {
      await Promise.all([server.close(), operators.close()])
      await storage.close()
      rmSync(data, { recursive: true, force: true })
    },
  }
}

/** A card payment that the simulator approves; the one builder that tests pay with. */
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

function present(parameters: Parameters): Record<string, string> {
  const pairs = Object.entries(parameters).filter((pair): pair is [string, string] => pair[1] !== undefined)
  return Object.fromEntries(pairs)
}

function answerOf(response: { statusCode: number; headers: object; body: string }): TestAnswer {
  const { statusCode, headers, body } = response
  return { status: statusCode, headers: { ...headers }, text: body, body: body === '' ? undefined : JSON.parse(body) }
}
