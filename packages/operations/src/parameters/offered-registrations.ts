/** The values of `registrations[n].id`, in the order of their indexes. */
export function readOfferedRegistrations(
  parameters: Iterable<readonly [name: string, value: string]>,
): readonly string[] {
  const offered: (readonly [index: number, id: string])[] = []
  for (const [name, id] of parameters) {
    if (name.startsWith(PREFIX)) offered.push([Number.parseInt(name.slice(PREFIX.length), 10), id])
  }
  return offered.toSorted(([a], [b]) => a - b).map(([, id]) => id)
}

const PREFIX = 'registrations['
