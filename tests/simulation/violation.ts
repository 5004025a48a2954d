/** A violated invariant. The message names the invariant and the row. */
export class Violation extends Error {}

export const fail = (description: string): never => {
  throw new Violation(description)
}
