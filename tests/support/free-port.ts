import { createServer } from 'node:net'

/** A port that is free now, for servers whose settings name their port. */
export async function freePort(): Promise<string> {
  const server = createServer()
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => void server.close(resolve))
  return String(typeof address === 'object' ? address?.port : '')
}
