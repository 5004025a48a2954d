import type { Repository } from './repository.ts'

/** An invariant of the repository that neither compiler nor linter checks. */
export interface Rule {
  /** The invariant as a sentence. */
  readonly name: string
  /** One line for each violation: `path:line violation`. */
  readonly find: (repository: Repository) => readonly string[]
  /** Files that do not satisfy it yet. The list may only shrink: a file that satisfies it is refused. */
  readonly exceptions?: readonly string[]
  /** A minimal repository that violates it: a rule that cannot fail checks nothing. */
  readonly bad: Repository
}

/** A repository of one file. */
export const oneFile = (path: string, text: string): Repository => [{ path, text }]
