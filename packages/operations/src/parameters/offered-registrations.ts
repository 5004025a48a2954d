/** The values of `registrations[n].id`, in the order of their indexes. */
export function readOfferedRegistrations(
  parameters: Iterable<readonly [name: string, value: string]>,
): readonly string[] {
  const offered: (readonly [index: number, id: string])[] = []
  for (const [name, id] of parameters) {
    if (name.startsWith(LIST)) offered.push([Number.parseInt(name.slice(LIST.length), 10), id])
  }
  return offered.toSorted(([one], [other]) => one - other).map(([, id]) => id)
}

const LIST = 'registrations['
