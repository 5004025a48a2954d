import { dirname, join } from 'node:path/posix'
import { lineAt, type RepositoryFile } from './repository.ts'
import { oneFile, type Rule } from './rule.ts'

const isMarkdown = ({ path }: RepositoryFile): boolean => path.endsWith('.md')

/** The anchor of a heading in rendered Markdown. */
function anchorOf(heading: string): string {
  const text = heading.toLowerCase().replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
  return text.trim().replaceAll(/\s/g, '-')
}

function anchorsOf(text: string): ReadonlySet<string> {
  return new Set(Array.from(text.matchAll(/^#{1,6} (.+)$/gm), ([, heading = '']) => anchorOf(heading)))
}

const linksResolve: Rule = {
  name: 'every link between documents has a target',
  find: (repository) => {
    const texts = new Map(repository.map(({ path, text }) => [path, text]))
    const folders = new Set(
      repository.flatMap(({ path }) => path.split('/').map((_, index, parts) => parts.slice(0, index).join('/'))),
    )
    return repository.filter(isMarkdown).flatMap(({ path, text }) =>
      Array.from(text.matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g)).flatMap((match) => {
        const [target = '', anchor] = (match[1] ?? '').split('#', 2)
        const file = target === '' ? path : join(dirname(path), target).replace(/\/$/, '')
        const isFound = folders.has(file) || texts.has(file)
        const hasAnchor = anchor === undefined || anchorsOf(texts.get(file) ?? '').has(anchor)
        return isFound && hasAnchor ? [] : [`${path}:${lineAt(text, match.index)} ${match[1]}`]
      }),
    )
  },
  badExample: oneFile('README.md', 'See [the guide](docs/guides/nowhere.md).'),
}

const HEADINGS = ['Context', 'Choice', 'Consequence'] as const

const decisionsFollowTemplate: Rule = {
  name: 'decisions are numbered consecutively and have the sections of the template',
  find: (repository) =>
    repository
      .filter(({ path }) => path.startsWith('docs/decisions/') && !path.endsWith('/README.md'))
      .toSorted((one, other) => (one.path < other.path ? -1 : 1))
      .flatMap(({ path, text }, index) => {
        const number = String(index).padStart(4, '0')
        const headings = Array.from(text.matchAll(/^## (.+)$/gm), ([, heading = '']) => heading)
        return [
          ...(path.startsWith(`docs/decisions/${number}-`) ? [] : [`${path} should have the number ${number}`]),
          ...(text.startsWith(`# ${number} `) ? [] : [`${path} does not begin with "# ${number} "`]),
          ...(headings.join() === HEADINGS.join() ? [] : [`${path} has the sections ${headings.join(', ')}`]),
        ]
      }),
  badExample: oneFile('docs/decisions/0000-tea.md', '# 0000 Tea\n\n## Context\n\nThirst.\n'),
}

const noMachinePaths: Rule = {
  name: "no file contains a path of a developer's machine",
  find: (repository) =>
    repository.flatMap(({ path, text }) =>
      Array.from(
        text.matchAll(/(?<![\w.~$}*-])\/(?:home|root|Users|work|workspace|mnt)\/[\w.-]+|\b[A-Z]:\\Users/g),
        (match) => `${path}:${lineAt(text, match.index)} ${match[0]}`,
      ),
    ),
  badExample: oneFile('docs/guides/operate.md', ['Look into ', 'home', 'jo', 'notes.md'].join('/')),
}

const describesProduct: Rule = {
  name: 'the repository describes the product, not how it was written',
  find: (repository) =>
    repository.flatMap(({ path, text }) =>
      Array.from(
        text.matchAll(/\b(?:co-authored-by:|language model\b|as an ai\b|chat ?bot\b|(?:see|per|from) the brief\b)/gi),
        (match) => `${path}:${lineAt(text, match.index)} ${match[0]}`,
      ),
    ),
  badExample: oneFile('README.md', ['Answers like these, written by a language', 'model, '].join(' ')),
}

/** A longer line is a row of a table with cells that are too long to read. */
const LINE_CHARS_MAX = 2_000

const linesAreReadable: Rule = {
  name: `no line of a document is longer than ${LINE_CHARS_MAX} characters`,
  find: (repository) =>
    repository
      .filter(isMarkdown)
      .flatMap(({ path, text }) =>
        text
          .split('\n')
          .flatMap((line, index) => (line.length > LINE_CHARS_MAX ? [`${path}:${index + 1} ${line.length}`] : [])),
      ),
  badExample: oneFile('docs/reference/parameters.md', `| ${'`amount`, '.repeat(LINE_CHARS_MAX / 10)}|`),
}

export const documents: readonly Rule[] = [
  linksResolve,
  decisionsFollowTemplate,
  noMachinePaths,
  describesProduct,
  linesAreReadable,
]
