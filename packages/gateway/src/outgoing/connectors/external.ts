import { type RemoteConnector, testHostProfile } from '@tollgate/connectors'
import type { Config } from '../../config.ts'
import { limits } from '../../limits.ts'
import { createHostConnector, type HostParts } from '../host-connector.ts'

/** The built-in connector to the processor's test system; undefined: the settings name none. */
export function createExternalConnector(
  { acquirerAddress }: Pick<Config, 'acquirerAddress'>,
  parts: HostParts,
): RemoteConnector | undefined {
  if (acquirerAddress === undefined) return undefined
  const terminalIds = limits.testHostTerminals
  return createHostConnector(
    { name: 'external', profile: testHostProfile, addresses: [acquirerAddress], terminalIds },
    parts,
  )
}
