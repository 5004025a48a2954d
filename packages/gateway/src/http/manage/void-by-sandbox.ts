/** Stands in the view of each entity and token of a sandbox that is off. */
export const voidBySandbox = { void: 'the sandbox is off' } as const
