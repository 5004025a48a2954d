import { basename, dirname, join } from 'node:path/posix'
import { isDeepStrictEqual } from 'node:util'
import { isCode, isProduct, lineAt, type Repository, type RepositoryFile } from './repository.ts'
import { oneFile, type Rule } from './rule.ts'

const LINE_CHARS_MAX = 120

const shortLines: Rule = {
  name: `lines of code have at most ${LINE_CHARS_MAX} characters`,
  find: (repository) =>
    repository.filter(isCode).flatMap(({ path, text }) =>
      text.split('\n').flatMap((line, index) => {
        const chars = Array.from(line).length
        return chars > LINE_CHARS_MAX ? [`${path}:${index + 1} ${chars} characters`] : []
      }),
    ),
  badExample: oneFile('tools/bench.ts', `const text = '${'x'.repeat(LINE_CHARS_MAX)}'`),
}

const KEBAB = /^[a-z0-9]+(?:-[a-z0-9]+)*(?:\.[a-z0-9]+(?:-[a-z0-9]+)*)*$/

const kebabNames: Rule = {
  name: 'files and folders of code and documents have kebab-case names',
  find: (repository) =>
    repository
      .filter(({ path }) => /^(packages|examples|tools|tests|docs)\//.test(path))
      .filter(({ path }) => !path.split('/').every((part) => KEBAB.test(part)))
      .map(({ path }) => path),
  badExample: oneFile('packages/domain/src/cardNumber.ts', 'export const luhn = 10'),
}

const indexesHaveIntroduction: Rule = {
  name: "a package's index.ts begins with a paragraph on its purpose",
  find: (repository) =>
    repository
      .filter(({ path }) => /^(?:packages|examples)\/[^/]+\/src\/index\.ts$/.test(path))
      .filter(({ text }) => !/^\/\*\*(?: |\n \* )[^]{40,}?\*\/\n/.test(text))
      .map(({ path }) => path),
  badExample: oneFile('packages/domain/src/index.ts', "export { luhn } from './luhn.ts'\n"),
}

/** The values that an index.ts exports from other modules: each value's module, and its name in that module. */
function exportsOf(indexPath: string, text: string): readonly { module: string; name: string }[] {
  return Array.from(text.matchAll(/^export \{([^}]+)\} from '(\.[^']+)'/gm)).flatMap(([, names = '', from = '']) =>
    names
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '' && !name.startsWith('type '))
      .map((name) => ({ module: join(dirname(indexPath), from), name: name.split(' as ')[0] ?? name })),
  )
}

const publicFunctionsAreDocumented: Rule = {
  name: 'a function that a package exports has a docstring',
  find: (repository) => {
    const texts = new Map(repository.map(({ path, text }) => [path, text]))
    const indexes = repository.filter((file) => isProduct(file) && basename(file.path) === 'index.ts')
    return indexes.flatMap(({ path, text }) =>
      exportsOf(path, text).flatMap(({ module, name }) => {
        const code = texts.get(module) ?? ''
        const arrow = `const ${name}\\b[^=\\n]*= (?:async )?(?:<[^>]*>)?\\(`
        const declaration = new RegExp(`^export (?:(?:async )?function\\*? ${name}\\b|${arrow})`, 'm')
        const match = declaration.exec(code)
        if (!match || code.slice(0, match.index).trimEnd().endsWith('*/')) return []
        return [`${module}:${lineAt(code, match.index)} ${name}`]
      }),
    )
  },
  badExample: [
    { path: 'packages/domain/src/index.ts', text: "export { luhn } from './luhn.ts'\n" },
    { path: 'packages/domain/src/luhn.ts', text: 'export function luhn(digits: Uint8Array): boolean {' },
  ],
}

const FILE_LINES_MAX = 400

/** A literal at the top level of a module, with one row for each fact. No limit applies to it. */
const TABLE = /^(?:export )?const [^\n]*[[{]\n(?:(?:[ \t)\]}][^\n]*)?\n)*?[\]}][^\n]*$/gm

const linesOf = (text: string): number => text.trimEnd().split('\n').length

/** The lines of a module without its longest table; a table with a function in it is code. */
function codeLines({ text }: RepositoryFile): number {
  const tables = Array.from(text.matchAll(TABLE), ([table]) => table).filter((table) => !table.includes('=>'))
  return linesOf(text) - Math.max(0, ...tables.map(linesOf))
}

const shortFiles: Rule = {
  name: `files of code have at most ${FILE_LINES_MAX} lines, not counting the longest table of facts`,
  find: (repository) =>
    repository
      .filter(isCode)
      .filter((file) => codeLines(file) > FILE_LINES_MAX)
      .map((file) => `${file.path}:1 ${codeLines(file)} lines`),
  exceptions: [],
  badExample: oneFile(
    'tools/bench.ts',
    `const rows = [\n${'  1,\n'.repeat(9)}]\n${'run()\n'.repeat(FILE_LINES_MAX + 1)}`,
  ),
}

/** Code that only tests with these suffixes may contain, because only their projects provide its environment. */
const requiredSuffixes = [
  {
    uses: /\bfrom 'node:child_process'|\b(?:newDatabase|startPostgres)\(/,
    suffix: /\.(?:system|postgres|storage|browser)\./,
  },
  { uses: /\blaunchBrowser\(/, suffix: /\.browser\./ },
]

const testsHaveRequiredSuffix: Rule = {
  name: 'a test that needs a process, PostgreSQL or a browser has the suffix for that need',
  find: (repository) =>
    repository
      .filter(({ path }) => path.endsWith('.test.ts'))
      .filter(({ path, text }) => requiredSuffixes.some(({ uses, suffix }) => uses.test(text) && !suffix.test(path)))
      .map(({ path }) => path),
  badExample: oneFile('packages/cli/src/main.test.ts', "import { execFile } from 'node:child_process'\n"),
}

/** Rules that the linter must enforce, so that an edit of its configuration alone cannot loosen them. */
const lintRules = [
  'import/no-cycle',
  'import/no-default-export',
  'no-console',
  'no-warning-comments',
  'typescript/ban-ts-comment',
  'typescript/consistent-type-imports',
  'typescript/no-explicit-any',
  'typescript/no-floating-promises',
  'typescript/no-misused-promises',
  'typescript/no-non-null-assertion',
  'typescript/switch-exhaustiveness-check',
] as const

const linterIsStrict: Rule = {
  name: 'the configuration of the linter makes the listed rules errors, and forbids import cycles of types',
  find: (repository: Repository) =>
    repository
      .filter(({ path }) => path === '.oxlintrc.json')
      .flatMap(({ path, text }) => {
        const { rules }: { rules: Readonly<Record<string, unknown>> } = JSON.parse(text)
        const level = (rule: string) => [rules[rule]].flat()[0]
        const checksTypes = isDeepStrictEqual(rules['import/no-cycle'], ['error', { ignoreTypes: false }])
        return [
          ...lintRules.filter((rule) => level(rule) !== 'error').map((rule) => `${path} ${rule} is not an error`),
          ...(checksTypes ? [] : [`${path} import/no-cycle ignores cycles of types`]),
        ]
      }),
  badExample: oneFile('.oxlintrc.json', '{ "rules": { "typescript/no-explicit-any": "off" } }'),
}

export const shapes: readonly Rule[] = [
  shortLines,
  shortFiles,
  testsHaveRequiredSuffix,
  kebabNames,
  indexesHaveIntroduction,
  publicFunctionsAreDocumented,
  linterIsStrict,
]
