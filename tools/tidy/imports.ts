import { lineAt, type RepositoryFile, withoutComments } from './repository.ts'

export interface Import {
  /** `path:line` of the import. */
  readonly place: string
  readonly target: string
}

const IMPORT = /\b(?:from|import)\s*\(?\s*'([^']+)'|\bnew URL\('([^']+)', import\.meta\.url\)/g

/** Imports and re-exports of a module, types included, and the files that it names relative to its own URL. */
export function importsOf(file: RepositoryFile): readonly Import[] {
  const code = withoutComments(file.text)
  return Array.from(code.matchAll(IMPORT), (match) => ({
    place: `${file.path}:${lineAt(code, match.index)}`,
    target: match[1] ?? match[2] ?? '',
  }))
}
