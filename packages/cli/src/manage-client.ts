import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { request, type RequestOptions } from 'node:http'
import { connect } from 'node:tls'
import { bracketed, type Config, readConfig } from '@tollgate/gateway'
import { limits } from './limits.ts'

/** A failure that the user of the command can correct. Its message is printed in one line, without a stack trace. */
export class CommandError extends Error {
  readonly isUserError = true
}

/** No process listens at the address of the management API. */
export class NoGatewayError extends CommandError {}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * Sends a request to the management API of the gateway that the same environment variables would start.
 *
 * @param path below /manage/v1, with a leading slash
 * @throws NoGatewayError if no process listens there
 * @throws CommandError if the gateway does not answer or refuses the request
 */
export async function manage(method: Method, path: string, body?: object): Promise<unknown> {
  const config = readConfig(process.env)
  const address = `${config.tls ? 'https' : 'http'}://${bracketed(config.host)}:${config.managePort}`
  const text = body && JSON.stringify(body)
  const { status, content } = await send(config, `${address}/manage/v1${path}`, method, text).catch(
    (error: unknown) => {
      if (error instanceof CommandError) throw error
      const isRefused = error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED'
      const message = `no gateway answers at ${address}; start one with: tollgate serve`
      throw isRefused ? new NoGatewayError(message) : new CommandError(message)
    },
  )
  if (status === 401) {
    throw new CommandError('the gateway refused the key: set TOLLGATE_MANAGE_KEY to the key that it was started with')
  }
  const parsed = parseJson(content)
  if (status >= 200 && status < 300 && parsed !== undefined) return parsed
  throw new CommandError(
    messageOf(parsed) ?? `${address} answered ${status}, but is not a gateway: check HOST and TOLLGATE_MANAGE_PORT`,
  )
}

function send({ manageKey, tls }: Config, url: string, method: string, body = ''): Promise<Answer> {
  const length = Buffer.byteLength(body)
  const contentHeaders = body === '' ? {} : { 'content-type': 'application/json', 'content-length': length }
  const headers = { authorization: `Bearer ${manageKey}`, connection: 'close', ...contentHeaders }
  const { hostname, port, pathname, search } = new URL(url)
  const target = { host: hostname.replace(/^\[(.*)\]$/, '$1'), port, path: pathname + search }
  const signal = AbortSignal.timeout(limits.answerTimeoutMs)
  return new Promise((resolve, reject) => {
    const createConnection = tls && tlsConnectionFactory(tls.cert)
    const options = { ...target, method, headers, signal, ...(createConnection && { createConnection }) }
    const clientRequest = request(options, (incoming) => {
      const chunks: Buffer[] = []
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
      incoming.on('error', reject)
      incoming.on('end', () => {
        resolve({ status: incoming.statusCode ?? 0, content: Buffer.concat(chunks).toString() })
      })
    })
    clientRequest.on('error', reject).end(body)
  })
}

interface Answer {
  readonly status: number
  readonly content: string
}

/**
 * Creates a function that connects with TLS and accepts only the exact certificate in the file. Host name and
 * certificate authority are not checked: the gateway may run on this machine or behind another name, and its
 * certificate may be issued by a private authority.
 */
function tlsConnectionFactory(file: string): NonNullable<RequestOptions['createConnection']> {
  const expected = readCertificate(file)
  return ({ host, port }, ready) => {
    const socket = connect({ host: host ?? '', port: Number(port), rejectUnauthorized: false }, () => {
      if (socket.getPeerX509Certificate()?.raw.equals(expected) === true) return ready(null, socket)
      ready(new CommandError(`the gateway's certificate is not the one in ${file} (TOLLGATE_TLS_CERT)`), socket)
      socket.destroy()
      return undefined
    })
    socket.once('error', (error) => ready(error, socket))
    return undefined
  }
}

function readCertificate(file: string): Buffer {
  try {
    return new X509Certificate(readFileSync(file)).raw
  } catch {
    throw new CommandError(`TOLLGATE_TLS_CERT: ${file} cannot be read as a certificate`)
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function messageOf(answer: unknown): string | undefined {
  if (typeof answer !== 'object' || answer === null || !('error' in answer)) return undefined
  const { error } = answer
  if (typeof error !== 'object' || error === null || !('message' in error)) return undefined
  return String(error.message)
}
