import { once } from 'node:events'
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
