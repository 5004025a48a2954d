/** A moment as operators read it, ISO 8601; undefined where there is none. */
export const timeOf = (atMs: number | null | undefined): string | undefined =>
  typeof atMs === 'number' ? new Date(atMs).toISOString() : undefined
