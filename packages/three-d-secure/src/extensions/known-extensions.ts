import { cartesBancairesIds } from './cartes-bancaires.ts'
import { simulatorExtensionId } from './simulator.ts'

const known: ReadonlySet<unknown> = new Set([...cartesBancairesIds, simulatorExtensionId])

/** Whether an extension is supported; a message with an unsupported critical one is refused. */
export const isKnownExtension = (id: unknown): boolean => known.has(id)
