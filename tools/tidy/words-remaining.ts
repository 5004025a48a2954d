/** Names of files and exports that are still to be replaced by the field's terms. The list may only shrink. */
export const remaining: ReadonlySet<string> = new Set(['Opening'])
