import { cartesBancairesIds } from './cartes-bancaires.ts'
import { simulatorExtensionId } from './simulator.ts'

const known: ReadonlySet<unknown> = new Set([...cartesBancairesIds, simulatorExtensionId])

/** Whether an extension is understood here: one that is not, and is critical, refuses its message. */
export const isKnownExtension = (id: unknown): boolean => known.has(id)
