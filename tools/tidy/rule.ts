import type { Repository } from './repository.ts'

/** Something that must hold for the whole repository and that neither compiler nor linter checks. */
export interface Rule {
  /** The sentence that must hold. */
  readonly name: string
  /** One line for each place where it does not: `path:line what`. */
  readonly find: (repository: Repository) => readonly string[]
  /** Files in which it does not hold yet. The list may only shrink: a file in which it holds is refused. */
  readonly known?: readonly string[]
  /** A repository, as small as can be, in which it does not hold: a rule that cannot fail checks nothing. */
  readonly bad: Repository
}

/** A repository of one file. */
export const oneFile = (path: string, text: string): Repository => [{ path, text }]
