/** Adds an entry under its id. If there are `max` entries already, the oldest is dropped. */
export function addBounded<Entry extends { readonly id: string }>(
  entries: Map<string, Entry>,
  max: number,
  entry: Entry,
): Entry {
  const [oldest] = entries.keys()
  if (oldest !== undefined && entries.size >= max) entries.delete(oldest)
  entries.set(entry.id, entry)
  return entry
}
