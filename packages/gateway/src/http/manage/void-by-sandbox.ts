/** Marks entities and tokens of a sandbox that is switched off. */
export const voidBySandbox = { void: 'the sandbox is off' } as const
