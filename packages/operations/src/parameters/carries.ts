import type { RequestParameters } from '@tollgate/contract'

/** Whether a parameter of the structure was sent. */
export function carries({ sent }: RequestParameters, structure: string): boolean {
  for (const one of sent) if (one.structure === structure) return true
  return false
}
