import type { Form } from './form.ts'
import { InvariantError } from './invariant-error.ts'
import { type Known, knownName } from './names.ts'

/**
 * A form of parameters that were kept, with what has been sent now in its gaps: what was prepared stands.
 *
 * @param prepared canonical names of the surface `payment` with their values; no secret is among them
 * @param sent undefined: nothing was; its owner wipes it
 */
export function preparedForm(prepared: Readonly<Record<string, string>>, sent?: Form): Form {
  const entries = Object.entries(prepared).map(([name, value]) => [knownOf(name), value] as const)
  const isGap = ({ name }: Known): boolean => !Object.hasOwn(prepared, name)
  return {
    surface: 'payment',
    sent: [...entries.map(([known]) => known), ...(sent?.sent.filter(isGap) ?? [])],
    values: new Map([...(sent?.values ?? []), ...entries.map(([{ name }, value]) => [name, value] as const)]),
    secrets: sent?.secrets ?? new Map(),
    repeated: sent?.repeated ?? [],
    problems: sent?.problems ?? [],
    isTooLarge: sent?.isTooLarge ?? false,
    unknown: [],
    loginEntityId: undefined,
    wipe: () => sent?.wipe(),
  }
}

function knownOf(name: string): Known {
  const known = knownName('payment', name)
  if (!known) throw new InvariantError('prepared form holds an unknown parameter')
  return known
}
