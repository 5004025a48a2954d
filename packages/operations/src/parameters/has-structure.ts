import type { RequestParameters } from '@tollgate/contract'

/** Whether the request has a parameter of the structure. */
export function hasStructure({ sent }: RequestParameters, structure: string): boolean {
  for (const parameter of sent) if (parameter.structure === structure) return true
  return false
}
