import type { Clearing } from '@tollgate/connectors'
import { isBuiltInConnector, midnightUtc, type CutOff } from '@tollgate/domain'
import type { Acquirers } from '../context.ts'

type Connectors = Omit<Acquirers, 'startTimer'>

/** The clearing of a connector; undefined: its acquirer clears by rules of its own, or it is not connected. */
export function clearingOf(acquirers: Connectors, name: string): Clearing | undefined {
  const connector = isBuiltInConnector(name) ? acquirers[name] : acquirers.accounts.find(name)?.connector
  return connector?.kind === 'remote' ? connector.clearing : undefined
}

/** The cut-off of a connector. */
export const cutOffOf = (acquirers: Connectors, name: string): CutOff =>
  clearingOf(acquirers, name)?.cutOff ?? midnightUtc

/** The names of the connectors whose payments the gateway clears. */
export const clearedConnectors = (acquirers: Connectors): readonly string[] =>
  ['external', ...acquirers.accounts.names()].filter((name) => clearingOf(acquirers, name) !== undefined)
