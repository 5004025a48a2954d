import { structureFields } from './structure-fields.ts'
import type { StructurePart } from './structure.ts'

/** The parts that have a parameter, by its name up to the first bracket: `billing.city`, `cart.items`. */
const partsByName: ReadonlyMap<string, readonly StructurePart[]> = byName(Object.values(structureFields).flat())

/** The parts of which a request has a parameter. Most requests have parameters of two or three parts. */
export function partsWith(names: readonly string[]): ReadonlySet<StructurePart> {
  const parts = new Set<StructurePart>()
  for (const name of names) for (const part of partsByName.get(beforeBracket(name)) ?? []) parts.add(part)
  return parts
}

function beforeBracket(name: string): string {
  const bracket = name.indexOf('[')
  return bracket === -1 ? name : name.slice(0, bracket)
}

function byName(parts: readonly StructurePart[]): ReadonlyMap<string, readonly StructurePart[]> {
  const found = new Map<string, StructurePart[]>()
  for (const part of parts) for (const name of namesOf(part)) found.set(name, [...(found.get(name) ?? []), part])
  return found
}

function namesOf(part: StructurePart): readonly string[] {
  switch (part.kind) {
    case 'structure':
      return part.rows.map(({ name }) => name)
    case 'list':
      return [part.name]
    case 'map':
      return [beforeBracket(part.prefix)]
    case 'value':
      return part.names
  }
}
