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
  name: 'links between documents have a target',
  find: (repository) => {
    const texts = new Map(repository.map(({ path, text }) => [path, text]))
    const folders = new Set(
      repository.flatMap(({ path }) => path.split('/').map((_, at, all) => all.slice(0, at).join('/'))),
    )
    return repository.filter(isMarkdown).flatMap(({ path, text }) =>
      Array.from(text.matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g)).flatMap((match) => {
        const [target = '', anchor] = (match[1] ?? '').split('#', 2)
        const file = target === '' ? path : join(dirname(path), target).replace(/\/$/, '')
        const exists = folders.has(file) || texts.has(file)
        const anchored = anchor === undefined || anchorsOf(texts.get(file) ?? '').has(anchor)
        return exists && anchored ? [] : [`${path}:${lineAt(text, match.index)} ${match[1]}`]
      }),
    )
  },
  bad: oneFile('README.md', 'See [the guide](docs/guides/nowhere.md).'),
}

const HEADINGS = ['Context', 'Choice', 'Consequence'] as const

const decisionsFollowTemplate: Rule = {
  name: 'every decision is numbered in turn and has the sections of the template',
  find: (repository) =>
    repository
      .filter(({ path }) => path.startsWith('docs/decisions/') && !path.endsWith('/README.md'))
      .toSorted((one, other) => (one.path < other.path ? -1 : 1))
      .flatMap(({ path, text }, index) => {
        const number = String(index).padStart(4, '0')
        const headings = Array.from(text.matchAll(/^## (.+)$/gm), ([, heading = '']) => heading)
        return [
          ...(path.startsWith(`docs/decisions/${number}-`) ? [] : [`${path} is not number ${number}`]),
          ...(text.startsWith(`# ${number} `) ? [] : [`${path} does not open with "# ${number} "`]),
          ...(headings.join() === HEADINGS.join() ? [] : [`${path} has the sections ${headings.join(', ')}`]),
        ]
      }),
  bad: oneFile('docs/decisions/0000-tea.md', '# 0000 Tea\n\n## Context\n\nThirst.\n'),
}

const noMachine: Rule = {
  name: "no path of a developer's machine",
  find: (repository) =>
    repository.flatMap(({ path, text }) =>
      Array.from(
        text.matchAll(/(?<![\w.~$}*-])\/(?:home|root|Users|work|workspace|mnt)\/[\w.-]+|\b[A-Z]:\\Users/g),
        (match) => `${path}:${lineAt(text, match.index)} ${match[0]}`,
      ),
    ),
  bad: oneFile('docs/guides/operate.md', ['Look into ', 'home', 'jo', 'notes.md'].join('/')),
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
  bad: oneFile('README.md', ['Answers like these, written by a language', 'model, '].join(' ')),
}

/** Longer lines are cells of a table that are too long to read. */
const LINE_CHARS_MAX = 2_000

const linesAreReadable: Rule = {
  name: `no line of a document is longer than ${LINE_CHARS_MAX} characters`,
  find: (repository) =>
    repository
      .filter(isMarkdown)
      .flatMap(({ path, text }) =>
        text
          .split('\n')
          .flatMap((line, at) => (line.length > LINE_CHARS_MAX ? [`${path}:${at + 1} ${line.length}`] : [])),
      ),
  bad: oneFile('docs/reference/parameters.md', `| ${'`amount`, '.repeat(LINE_CHARS_MAX / 10)}|`),
}

export const documents: readonly Rule[] = [
  linksResolve,
  decisionsFollowTemplate,
  noMachine,
  describesProduct,
  linesAreReadable,
]
