import type { ConnectorRow, Storage } from '@tollgate/storage'
import { createTableCache } from '../table-cache.ts'

/** enabled: routes lead new payments to it. disabled: it processes only follow-ups of its payments. */
export const connectorStates = ['enabled', 'disabled'] as const
export type ConnectorState = (typeof connectorStates)[number]

/** In-memory cache of the connectors that operators have set up: every payment looks one up, and they rarely change. */
export interface ConnectorCache {
  /** All connectors by name, without deleted ones. */
  all(): readonly ConnectorRow[]
  /** Called after a change of any row, by this process or a peer. */
  onChange(listener: () => void): void
  /** Replaces a row after a change by this process. */
  put(row: ConnectorRow): void
  /** Reads all rows again, after a change by another process. */
  reload(): Promise<void>
}

/** Reads the connectors into the cache. */
export async function openConnectorCache(storage: Pick<Storage, 'connectors'>): Promise<ConnectorCache> {
  const rows = new Map<string, ConnectorRow>()
  const listeners: (() => void)[] = []
  const notify = () => listeners.forEach((listener) => listener())
  const { reload, invalidateReads } = createTableCache(
    () => storage.connectors(),
    (stored) => {
      for (const row of stored) rows.set(row.id, row)
      notify()
    },
  )
  await reload()
  return {
    all: () => [...rows.values()].filter(isExisting).toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    onChange: (listener) => void listeners.push(listener),
    put(row) {
      invalidateReads()
      rows.set(row.id, row)
      notify()
    },
    reload,
  }
}

/** Whether a connector is not deleted. */
export const isExisting = ({ deleted_at_ms: deletedAtMs }: ConnectorRow): boolean => deletedAtMs === null

/** Whether a text is a state of connectors. */
export const isConnectorState = (text: string): text is ConnectorState =>
  connectorStates.some((state) => state === text)
