import type { Repository } from './repository.ts'

/** An invariant of the repository that neither compiler nor linter checks. */
export interface Rule {
  /** The invariant as a sentence. */
  readonly name: string
  /** A text for each violation. If the rule has exceptions, it begins with the path of the file and a colon. */
  readonly find: (repository: Repository) => readonly string[]
  /** Files that violate the rule. An exception for a file without a violation is an error, so the list only shrinks. */
  readonly exceptions?: readonly string[]
  /** A minimal repository that violates the rule: a rule that cannot fail checks nothing. */
  readonly badExample: Repository
}

/** A repository that contains one file. */
export const oneFile = (path: string, text: string): Repository => [{ path, text }]
