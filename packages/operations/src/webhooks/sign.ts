import { createHmac, type KeyObject } from 'node:crypto'

/**
 * The headers of Standard Webhooks (https://www.standardwebhooks.com), by which a receiver knows who sent a body, when,
 * and whether it has had it already.
 *
 * @param keys each makes a signature: while keys are replaced, the old one does beside the new
 * @param id the event's, the same in all attempts
 */
export function signed(keys: readonly KeyObject[], id: string, atMs: number, body: string): Record<string, string> {
  const timestamp = String(Math.floor(atMs / 1000))
  const signatures = keys.map((key) => createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64'))
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.map((signature) => `v1,${signature}`).join(' '),
  }
}
