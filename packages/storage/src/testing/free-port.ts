import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

// Ports below those that Linux, macOS and Windows give to outgoing connections and to listeners on port 0, so that
// nothing takes the port between its choice and its use, or while a killed process is started again.
const LOWEST = 10_000
const HIGHEST = 32_000

/** A gateway listens on its port, and by default on the three above it. */
const PORTS_OF_GATEWAY = 4
const ATTEMPTS_MAX = 100
/** Ports that were chosen in this process, which their servers may not use yet. */
const chosen = new Set<number>()

/**
 * A port of 127.0.0.1 that is free now with the three above it, for servers whose settings name their port.
 * @throws Error if a hundred ports in succession are in use
 */
export async function freePort(): Promise<string> {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const first = LOWEST + PORTS_OF_GATEWAY * randomInt((HIGHEST - LOWEST) / PORTS_OF_GATEWAY)
    const ports = Array.from({ length: PORTS_OF_GATEWAY }, (_, index) => first + index)
    if (chosen.has(first)) continue
    chosen.add(first)
    const areFree = await Promise.all(ports.map(isFree))
    if (areFree.every(Boolean)) return String(first)
  }
  throw new Error(`no four ports in succession are free between ${LOWEST} and ${HIGHEST}`)
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening')
  } catch {
    return false
  }
  await new Promise((resolve) => void server.close(resolve))
  return true
}
