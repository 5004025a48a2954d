import { Agent, type IncomingHttpHeaders, request } from 'node:http'

/** A request; `path` includes the query string. */
export interface Request {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
}

/** A complete answer. */
export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** The fields of an answer's JSON that tests read. */
export interface Body {
  readonly id: string
  readonly result: {
    readonly code: string
    readonly description: string
    readonly parameterErrors?: readonly { readonly name: string; readonly value: string }[]
  }
  readonly [field: string]: unknown
}

/** Sends requests to one address over connections that are kept alive. */
export interface Client {
  /** Rejects if the connection ends before the answer is complete. */
  readonly send: (request: Request) => Promise<Answer>
  readonly close: () => void
}

/** A client with at most `connections` connections to `url`. */
export function openClient(url: string, connections: number): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const { hostname, port } = new URL(url)
  return {
    send: ({ method, path, headers = {}, body }) =>
      new Promise((resolve, reject) => {
        // Node omits the length for methods that usually have no body.
        const length = body !== undefined &&
          !headers['transfer-encoding'] && { 'content-length': Buffer.byteLength(body) }
        const options = { agent, hostname, port, method, path, headers: { ...headers, ...length } }
        const outgoing = request(options, (incoming) => {
          const chunks: Buffer[] = []
          incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
          incoming.on('error', reject)
          incoming.on('end', () => {
            const text = Buffer.concat(chunks).toString()
            resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text })
          })
        })
        outgoing.on('error', reject)
        outgoing.end(body)
      }),
    close: () => agent.destroy(),
  }
}

/** @throws SyntaxError if the answer is not JSON */
export function bodyOf({ text }: Answer): Body {
  return JSON.parse(text)
}

/** Calls `act` for every item, with at most `concurrency` calls at a time. */
export async function inParallel<T>(
  items: readonly T[],
  concurrency: number,
  act: (item: T) => Promise<void>,
): Promise<void> {
  const waiting = items.values()
  const workers = Array.from({ length: concurrency }, async () => {
    for (const item of waiting) await act(item)
  })
  await Promise.all(workers)
}
