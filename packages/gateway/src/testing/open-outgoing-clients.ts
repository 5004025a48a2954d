import type { OutgoingClient } from '@tollgate/operations'
import { createOutgoingClient, type OutgoingOptions } from '../outgoing/create-outgoing-client.ts'

/** Opens clients for requests to merchants, so that a test can close all of them. */
export function openOutgoingClients() {
  const opened: OutgoingClient[] = []
  const open = (options: Partial<OutgoingOptions> = {}): OutgoingClient => {
    const outgoing = createOutgoingClient({ environment: 'test', ...options })
    opened.push(outgoing)
    return outgoing
  }
  return {
    open,
    openBounded: (bounds: OutgoingOptions['bounds']): OutgoingClient => open({ bounds: { ...bounds } }),
    closeAll: async (): Promise<void> => {
      for (const outgoing of opened.splice(0)) await outgoing.close()
    },
  }
}
