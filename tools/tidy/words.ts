import { basename } from 'node:path/posix'
import { isCode, lineAt, type Repository, withoutComments } from './repository.ts'
import { oneFile, type Rule } from './rule.ts'

/** Words with a standard term (docs/glossary.md), in names that are converted to kebab-case. */
const replacedWords: readonly (readonly [words: RegExp, term: string])[] = [
  [/\b(?:un)?swap(?:s|pable)?\b/, 'compare-and-set'],
  [/\bfunnel\b|^submit$/, 'command handler, execute'],
  [/\bproposals?\b/, 'pending unit of work'],
  [/^claim$|\btaken\b|^unique$/, 'idempotency claim, conflict, uniqueness constraint'],
  [/\bquestions?\b|\bask(?:s|ed|ing)?\b|\b(?:un)?said\b|\bundone\b|\bunsent\b/, 'request, send, response, timeout'],
  [/^end-attempts?\b|^attempt-timer$/, 'timeout reversal'],
  [/\bvisits?\b|\bway-to-issuer\b|^go-on$|^look(?:ing)?-after$/, 'redirect session, 3-D Secure session, resume, poll'],
  [/\balone\b/, 'standalone'],
  [/^(?:opening|decided|following|spoken)$/, 'payment context, approved payment, follow-up'],
  [/\bfaces?\b/, 'masked account'],
  [/^own-call$/, 'system head'],
  [/\blanes?\b|\bnudged?\b|^look$|\bpump\b/, 'queue, notify, poll, drain'],
  [/\blet-go\b/, 'released'],
  [/\bparked?\b|\bgiven-up\b/, 'dead-lettered'],
  [/\bjourneys?\b|\btravel\b|\bhappened\b/, 'fast-forward'],
  [/\bworks?\b|\bworkers?\b/, 'background task'],
  [/\bothers\b|\btell(?:ing)?\b|\btold\b/, 'peers, publish, message'],
  [/^(?:take-)?turns$|\bunder-one\b|\bunder-way\b/, 'keyed mutex, single-flight, in-flight tracker'],
  [/\btall(?:y|ies)\b|\bpace$|\badmission\b/, 'rate counter, pacing, fair queue'],
  [/\bstrangers?\b|\bturn(?:ed)?-away\b|\blet-in\b/, 'unauthenticated client, reject, admit'],
  [/\bconsequences?\b/, 'outbox, timers, effect'],
  [/^erase-again$|\berasure-log\b/, 'tombstone replay, tombstone log'],
  [/\bwalk(?:ed|s)?\b/, 'integrity scan'],
  [/^standard\b/, 'default'],
  [/\bdecisions-max\b/, 'a bound of its own for each kind of retry'],
  [/\bsettled?\b/, 'resolve, complete (settle is for funds)'],
]

/** Modules about funds, which are settled. */
const ABOUT_FUNDS = /\b(?:settlement|reconciliation|ledger|clearing)\b/

/** Vague names of files. A file is named after the noun that it exports. */
const VAGUE_FILE_NAME = /^(?:known|found|held|seen|said|place|lag|live)$/

const EXPORTED = /^export (?:async )?(?:const|function\*?|interface|type|class) (\w+)/gm

/** A name in kebab-case: createFunnel is create-funnel, FOLLOW_VISIT follow-visit. */
const kebab = (name: string): string =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase()

interface NamePlace {
  readonly place: string
  readonly name: string
  /** The term to use instead; undefined: the name is allowed. */
  readonly term: string | undefined
}

function termOf(name: string, path: string): string | undefined {
  const words = kebab(name)
  const matching = replacedWords.filter(([replaced]) => replaced.test(words))
  return matching.find(([, term]) => !(term.includes('for funds') && ABOUT_FUNDS.test(path)))?.[1]
}

/** Names of modules without their suffixes, and names that they export. */
function namesIn(repository: Repository): readonly NamePlace[] {
  return repository
    .filter((file) => isCode(file) && /^(?:packages|examples)\//.test(file.path))
    .flatMap(({ path, text }) => {
      const code = withoutComments(text)
      const file = basename(path).replace(/\..*$/, '')
      const exported = Array.from(code.matchAll(EXPORTED), (match): NamePlace => {
        const [, name = ''] = match
        return { place: `${path}:${lineAt(code, match.index)}`, name, term: termOf(name, path) }
      })
      return [
        { place: path, name: file, term: VAGUE_FILE_NAME.test(file) ? 'the noun that it exports' : termOf(file, path) },
        ...exported,
      ]
    })
}

const namesAreTerms: Rule = {
  name: 'exported names and file names contain no word that docs/glossary.md replaces',
  find: (repository) =>
    namesIn(repository).flatMap(({ place, name, term }) => (term === undefined ? [] : [`${place} ${name}: ${term}`])),
  badExample: [
    { path: 'packages/operations/src/funnel.ts', text: 'export interface Handler {}' },
    { path: 'packages/operations/src/command-handler.ts', text: 'export function createFunnel(): Funnel {' },
  ],
}

const EXPORTED_TYPE = /^export (?:interface|type|class) (\w+)/gm

const exportedTypesHaveUniqueNames: Rule = {
  name: 'no two exported types of a package share a name',
  find: (repository) => {
    const places = new Map<string, string>()
    return repository.filter(isCode).flatMap(({ path, text }) => {
      const [folder] = /^(?:packages|examples)\/[^/]+/.exec(path) ?? []
      if (folder === undefined) return []
      const code = withoutComments(text)
      return Array.from(code.matchAll(EXPORTED_TYPE)).flatMap(({ 1: name = '', index }) => {
        const first = places.get(`${folder} ${name}`)
        places.set(`${folder} ${name}`, first ?? path)
        return first === undefined ? [] : [`${path}:${lineAt(code, index)} ${name}: also in ${first}`]
      })
    })
  },
  badExample: [
    { path: 'packages/domain/src/guards.ts', text: 'export interface Guard {}' },
    { path: 'packages/domain/src/schedule/guards.ts', text: 'export type Guard = string' },
  ],
}

/** Texts in the languages of shoppers. */
const TRANSLATIONS = /^packages\/contract\/src\/widget-texts\//

const neutralPronouns: Rule = {
  name: 'documents, comments and texts use neutral pronouns for shoppers, merchants and operators',
  find: (repository) =>
    repository
      .filter(({ path }) => /\.(?:md|ts|mjs|js|css|html)$/.test(path) && !TRANSLATIONS.test(path))
      .flatMap(({ path, text }) =>
        Array.from(
          text.matchAll(/\bh(?:e|is|im|imself)\b/gi),
          ({ 0: word, index }) => `${path}:${lineAt(text, index)} ${word}`,
        ),
      ),
  badExample: oneFile(
    'docs/guides/checkouts.md',
    ['When the shopper returns, read the status, before ', 'e pays again.'].join('h'),
  ),
}

/** Words that leave a sentence without a noun as subject, and words that docs/glossary.md replaces. */
const RIDDLES = new RegExp(
  String.raw`\b(?:whoever|nobody(?!@)|somebody|strangers?|funnel|proposals?|swap(?:s|ped)?|lanes?|nudge[sd]?|` +
    String.raw`journeys?|(?:is|are|was|were) told|of ours)\b`,
  'gi',
)

const plainProse: Rule = {
  name: 'documents use the terms of the glossary, and their sentences name the subject',
  find: (repository) =>
    repository
      .filter(({ path }) => path.endsWith('.md') && path !== 'docs/glossary.md')
      .flatMap(({ path, text }) => {
        const prose = text.replaceAll(/`[^`]*`/g, (code) => code.replaceAll(/[^\n]/g, ' '))
        return Array.from(prose.matchAll(RIDDLES), ({ 0: word, index }) => `${path}:${lineAt(prose, index)} ${word}`)
      }),
  badExample: oneFile(
    'docs/guides/webhooks.md',
    '# Webhooks\n\nThe end of a payment is told to whoever asked for it.\n',
  ),
}

export const words: readonly Rule[] = [namesAreTerms, exportedTypesHaveUniqueNames, neutralPronouns, plainProse]
