import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A text file of the repository; the path is relative to its root and has forward slashes. */
export interface RepositoryFile {
  readonly path: string
  readonly text: string
}

export type Repository = readonly RepositoryFile[]

/** Folders with the output of builds, installations and runs, and the folder of git. */
const EXCLUDED = /(?:^|\/)(?:\.git|dist|node_modules)$|^(?:\.vitest|coverage|data)$/

/** Every text file below `root` outside the excluded folders, whether or not it is committed. */
export function readRepository(root: string, folder = ''): Repository {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry): Repository => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (EXCLUDED.test(path)) return []
    if (entry.isDirectory()) return readRepository(root, path)
    const text = entry.isFile() ? readFileSync(join(root, path), 'utf8') : ''
    return text === '' || text.includes('\0') ? [] : [{ path, text }]
  })
}

/** Whether a file is TypeScript or JavaScript. */
export const isCode = ({ path }: RepositoryFile): boolean => /\.(ts|mjs|js)$/.test(path)

/** Whether a file is a module of a package or example, but neither a test nor a helper of tests. */
export const isProduct = ({ path }: RepositoryFile): boolean =>
  /^(?:packages|examples)\/[^/]+\/src\/.*\.ts$/.test(path) && !/\.test\.ts$|\/testing\//.test(path)

const STRING = /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/
/** A regular expression: a slash in a place where an expression may begin. */
const REGEXP = /(?<=[(,=:[!&|?{};]\s*)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\//
const COMMENT = /\/\/[^\n]*|\/\*[^]*?\*\//
const TEXT_OR_COMMENT = new RegExp(`(${STRING.source}|${REGEXP.source})|${COMMENT.source}`, 'g')

/** Replaces comments, which may contain banned code, with blanks. Lines and columns stay the same. */
export function withoutComments(code: string): string {
  return code.replaceAll(TEXT_OR_COMMENT, (match, text: string | undefined) => text ?? match.replaceAll(/[^\n]/g, ' '))
}

/** The number, from 1, of the line that contains the character at `index`. */
export function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length
}
