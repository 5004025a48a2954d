import { cartesBancairesIds } from './cartes-bancaires.ts'
import { simulatorExtensionId } from './simulator.ts'

const knownIds: ReadonlySet<unknown> = new Set([...cartesBancairesIds, simulatorExtensionId])

/** Whether an extension is supported; a message with an unsupported critical extension is refused. */
export const isKnownExtension = (id: unknown): boolean => knownIds.has(id)
