import { MINUTE_MS } from '@tollgate/contract'
import type { FastifyInstance } from 'fastify'
import { beforeEach } from 'vitest'
import { simulatorServer } from '../../http/server.ts'
import type { Simulator } from '../../simulator.ts'
import { createBank } from '../bank.ts'
import type { OutgoingCall } from '../calls.ts'
import type { ChoiceName } from '../choices.ts'

export const order = {
  reference: '8ac7a4a0853f4d1b9c2e6f7a1b3c5d7e',
  amount: '92.00',
  currency: 'EUR',
  brand: 'IDEAL',
  description: 'Tea & <Company>',
  returnUrl: 'https://gateway.example/pages/return/1?sign=a%20b',
  notificationUrl: 'https://gateway.example/pages/notify/1',
}

type Changes = Partial<typeof order & Record<'locale' | 'intent' | 'createAgreement', string>>

/** Fields of the bank's answers. */
export interface Answer {
  readonly id?: string
  readonly state?: string
  readonly reason?: string
  readonly heldAmount?: string
  readonly capturedAmount?: string
  readonly refundedAmount?: string
  readonly cancelledAmount?: string
  readonly agreementId?: string
  readonly redirectUrl?: string
  readonly code?: string
  readonly fields?: readonly { readonly name: string }[]
}

export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
}

export const parseAnswer = ({ body }: Reply): Answer => JSON.parse(body)

export const times = <T>(length: number, value: T): readonly T[] => Array.from({ length }, () => value)

/** A bank whose clock and network the test controls. */
export class TestBank {
  nowMs = Date.UTC(2026, 0, 1)
  readonly calls: OutgoingCall[] = []
  /** Statuses of the answers to the next calls; a call with an Error gets no answer. Later calls get status 200. */
  statuses: (number | Error)[] = []
  readonly #bank: Simulator
  readonly #server: FastifyInstance
  #drawn = 0

  constructor() {
    const environment = {
      url: 'https://bank.example',
      clock: { now: () => this.nowMs },
      random: (bytes: number) => new Uint8Array(bytes).fill((this.#drawn += 1)),
    }
    this.#bank = createBank(environment, async (call) => {
      this.calls.push(call)
      const status = this.statuses.shift() ?? 200
      if (status instanceof Error) throw status
      return status
    })
    this.#server = simulatorServer([this.#bank])
  }

  /** Sends a request to the bank. After the answer, the bank does its due tasks, such as outgoing calls. */
  async send(method: 'GET' | 'POST' | 'DELETE', url: string, body = '', headers = {}): Promise<Reply> {
    const response = await this.#server.inject({ method, url, headers, ...(body !== '' && { payload: body }) })
    await this.#bank.advance()
    return { status: response.statusCode, headers: response.headers, body: response.body }
  }

  readonly get = (path: string): Promise<Reply> => this.send('GET', path)
  readonly post = (path: string, body: object): Promise<Reply> => this.send('POST', path, JSON.stringify(body))

  /** Opens a payment. @returns its id; '' if it is refused */
  async open(changes: Changes = {}): Promise<string> {
    return parseAnswer(await this.post('/bank/payments', { ...order, ...changes })).id ?? ''
  }

  async getPayment(id: string): Promise<Answer> {
    return parseAnswer(await this.get(`/bank/payments/${id}`))
  }

  readonly press = (id: string, choice: ChoiceName, minutes = ''): Promise<Reply> =>
    this.send('POST', `/bank/${id}`, new URLSearchParams({ choice, minutes }).toString())

  async advance(minutes: number): Promise<void> {
    this.nowMs += minutes * MINUTE_MS
    await this.#bank.advance()
  }
}

/** @returns the bank of the current test */
export function testBank(): () => TestBank {
  let bank: TestBank
  beforeEach(() => {
    bank = new TestBank()
  })
  return () => bank
}
