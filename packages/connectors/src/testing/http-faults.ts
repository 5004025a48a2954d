import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { type FaultName, lateMs } from './faults.ts'

/** An answer of a counterpart in JSON. */
export type JsonAnswer = Readonly<Record<string, unknown>>

/** Changes to an answer that depend on the counterpart's API. */
type Change = 'otherAnswer' | 'wrongAmount' | 'wrongCurrency'

/** A server between a connector and its counterpart on HTTP. It forwards requests, and has the faults of the suite. */
export interface HttpFaults {
  /** The base URL for the connector, without a slash at its end. */
  readonly url: string
  /** Sets a fault, or ends it. */
  readonly set: (fault: FaultName | undefined) => Promise<void>
  /** The answers of the counterpart in their order, also those that did not reach the connector. */
  readonly answers: readonly JsonAnswer[]
  readonly close: () => Promise<void>
}

/** Longer than an answer of any counterpart may be. */
const OVERSIZED = 'x'.repeat(2 * 1024 * 1024)

const NOTICED_MS = 50

/** Characters of a piece of an answer. */
const PIECE_CHARS = 40

/**
 * Starts the server. An answer is sent only once, because HTTP allows no second answer.
 *
 * @param target the base URL of the counterpart, without a slash at its end
 * @param changes how an answer of the counterpart is made wrong
 */
export async function startHttpFaults(
  target: string,
  changes: Readonly<Record<Change, (answer: JsonAnswer) => JsonAnswer>>,
): Promise<HttpFaults> {
  let fault: FaultName | undefined
  const answers: JsonAnswer[] = []
  const held = new Set<ServerResponse>()

  /** Sends a request to the counterpart. */
  async function forward({ method, url, headers }: IncomingMessage, body: Buffer) {
    const { 'content-type': type, authorization } = headers
    const answer = await fetch(`${target}${url}`, {
      ...(method !== undefined && { method }),
      headers: { ...(type !== undefined && { 'content-type': type }), ...(authorization && { authorization }) },
      ...(body.length > 0 && { body }),
    })
    const text = await answer.text()
    const json: JsonAnswer = text === '' ? {} : JSON.parse(text)
    answers.push(json)
    return { status: answer.status, text, json }
  }

  /** Forwards a request, and sends its answer as the fault demands. */
  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const active = fault
    const body = await bodyOf(request)
    if (active === 'requestLost') return void held.add(response)
    if (active === 'requestLate') {
      held.add(response)
      await setTimeout(lateMs)
    }
    const { status, text, json } = await forward(request, body)
    const send = (sent: string): void =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(sent)
    switch (active) {
      case 'requestLate':
      case 'answerLost':
        return void held.add(response)
      case 'answerLate':
        await setTimeout(lateMs)
        return send(text)
      case 'closed':
        return void response.destroy()
      case 'half':
        response.writeHead(status, { 'content-length': text.length })
        return void response.write(text.slice(0, text.length / 2), () => void response.destroy())
      case 'oversized':
        return send(JSON.stringify({ ...json, padding: OVERSIZED }))
      case 'garbled':
        return send(text.replaceAll('"', "'"))
      case 'failure':
        return void response.writeHead(500).end('{}')
      case 'otherAnswer':
      case 'wrongAmount':
      case 'wrongCurrency':
        return send(JSON.stringify(changes[active](json)))
      case 'answerInPieces':
        response.writeHead(status, { 'content-type': 'application/json' })
        for (let at = 0; at < text.length; at += PIECE_CHARS) {
          response.write(text.slice(at, at + PIECE_CHARS))
          await setTimeout(0)
        }
        return void response.end()
      case 'answerTwice':
      case 'refused':
      case undefined:
        return send(text)
    }
  }

  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy())
  })
  const listen = async (port: number): Promise<void> => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }
  const stop = async (): Promise<void> => {
    if (!server.listening) return
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
    // The client keeps connections, and notices their end a little later.
    await setTimeout(NOTICED_MS)
  }
  await listen(0)
  const { port }: AddressInfo = Object(server.address())
  return {
    url: `http://127.0.0.1:${port}`,
    answers,
    async set(next) {
      for (const response of held) response.destroy()
      held.clear()
      fault = next
      if (next === 'refused') await stop()
      else if (!server.listening) await listen(port)
    },
    close: stop,
  }
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(Buffer.from(part))
  return Buffer.concat(parts)
}
