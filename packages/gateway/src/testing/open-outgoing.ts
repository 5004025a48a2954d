import type { Outgoing } from '@tollgate/operations'
import { createOutgoing, type OutgoingOptions } from '../outgoing/create-outgoing.ts'

/** Opens clients of requests to merchants, and closes all of them. */
export function openOutgoing() {
  const opened: Outgoing[] = []
  const open = (options: Partial<OutgoingOptions> = {}): Outgoing => {
    const outgoing = createOutgoing({ environment: 'test', ...options })
    opened.push(outgoing)
    return outgoing
  }
  return {
    open,
    bounded: (bounds: OutgoingOptions['bounds']): Outgoing => open({ bounds: { ...bounds } }),
    closeAll: async (): Promise<void> => {
      for (const outgoing of opened.splice(0)) await outgoing.close()
    },
  }
}
