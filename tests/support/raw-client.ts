import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'

/** A connection to a listener on this machine; its errors are ignored. */
export async function openSocket(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  const connected = new Promise<void>((resolve) => {
    socket.once('connect', resolve)
    socket.once('close', () => resolve())
  })
  socket.on('error', () => undefined)
  await connected
  return socket
}

/** The data received until the connection ends, or until it is closed after `msMax` milliseconds. */
export async function receivedBy(socket: Socket, msMax: number): Promise<string> {
  let received = ''
  socket.on('data', (data) => (received += data.toString('latin1')))
  const timeout = setTimeout(() => socket.destroy(), msMax)
  if (!socket.closed) await once(socket, 'close')
  clearTimeout(timeout)
  return received
}

/** The resident memory of a process, in bytes. */
export function residentBytes(pid: number): number {
  const [, kilobytes = ''] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) * 1024
}

/** The port of a listener, found by the listener's name in the output of the start. */
export function portIn(stdout: string, name: string): number {
  const [, port] = new RegExp(`^ *${name} +http://[^:/]+:(\\d+)`, 'm').exec(stdout) ?? []
  if (port === undefined) throw new Error(`the output of the start has no address of ${name}`)
  return Number(port)
}
