/** The references of one request to the upstream gateway, stored before it is sent. They have no account data. */
export interface UpstreamReferences {
  /** The `merchantTransactionId` of the request, unique for this attempt, and its `Idempotency-Key`. */
  readonly reference: string
  /** The time at which the reference was drawn, just before the request. */
  readonly atMs: number
}

export const writeReferences = (references: UpstreamReferences): string => JSON.stringify(references)

/** Reads the text of `writeReferences`. @throws Error without a value if it has another shape */
export function readReferences(text: string): UpstreamReferences {
  const stored = parsed(text)
  if (typeof stored === 'object' && stored !== null) {
    const { reference, atMs }: { reference?: unknown; atMs?: unknown } = stored
    if (typeof reference === 'string' && typeof atMs === 'number') return { reference, atMs }
  }
  throw new Error('the stored references of a request to the upstream gateway are damaged')
}

/** The error of `JSON.parse` would quote the text. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
