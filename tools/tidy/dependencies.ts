import type { Repository } from './repository.ts'
import { oneFile, type Rule } from './rule.ts'

interface Dependency {
  readonly manifest: string
  readonly name: string
  readonly version: string
}

const DOCUMENT = 'docs/dependencies.md'

/** The dependencies of all kinds, and the overrides, in every package.json. */
function dependenciesOf(repository: Repository): readonly Dependency[] {
  return repository
    .filter(({ path }) => /^(?:(?:(?:packages|examples)\/[^/]+|tools|tests)\/)?package\.json$/.test(path))
    .flatMap(({ path, text }) => {
      const manifest: Readonly<Record<string, Readonly<Record<string, string>> | undefined>> = JSON.parse(text)
      return ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies', 'overrides'].flatMap(
        (kind) => Object.entries(manifest[kind] ?? {}).map(([name, version]) => ({ manifest: path, name, version })),
      )
    })
}

const dependenciesArePinned: Rule = {
  name: 'dependencies are pinned to one version',
  find: (repository) =>
    dependenciesOf(repository)
      .filter(({ version }) => !/^\d+\.\d+\.\d+$/.test(version))
      .map(({ manifest, name, version }) => `${manifest} ${name} ${version}`),
  badExample: oneFile('packages/gateway/package.json', '{ "dependencies": { "fastify": "^5.0.0" } }'),
}

/** The documented dependencies: the first cell of each row, in backticks. */
function documentedDependencies(repository: Repository): readonly string[] {
  const text = repository.find(({ path }) => path === DOCUMENT)?.text ?? ''
  return Array.from(text.matchAll(/^\| `([^`]+)` \|/gm), ([, name = '']) => name)
}

const dependenciesHaveReasons: Rule = {
  name: `${DOCUMENT} has a reason for every dependency, and no obsolete entry`,
  find: (repository) => {
    const names = dependenciesOf(repository).map(({ name }) => name)
    const used = new Set(names.filter((name) => !name.startsWith('@tollgate/')))
    const documented = new Set(documentedDependencies(repository))
    return [
      ...[...used].filter((name) => !documented.has(name)).map((name) => `${name} has no reason`),
      ...[...documented].filter((name) => !used.has(name)).map((name) => `${name} is no longer used`),
    ]
  },
  badExample: [
    { path: 'packages/gateway/package.json', text: '{ "dependencies": { "fastify": "5.0.0" } }' },
    { path: DOCUMENT, text: '| `left-pad` | pads |\n' },
  ],
}

const lockNamesNoRegistry: Rule = {
  name: 'package-lock.json names no registry, so that every registry can be used',
  find: (repository) =>
    repository
      .filter(({ path }) => path === 'package-lock.json')
      .flatMap(({ path, text }) => Array.from(text.matchAll(/https?:\/\/[^"]+\.tgz/g), ([url]) => `${path} ${url}`)),
  badExample: oneFile('package-lock.json', '{ "resolved": "https://registry.example/left-pad-1.0.0.tgz" }'),
}

const scriptsHaveNoHooks: Rule = {
  name: 'no script has a pre or post script, because ignore-scripts in .npmrc disables them',
  find: (repository) =>
    repository
      .filter(({ path }) => path === 'package.json')
      .flatMap(({ text }) => {
        const { scripts = {} }: { scripts?: Readonly<Record<string, string>> } = JSON.parse(text)
        const names = Object.keys(scripts)
        return names.filter((name) => names.some((script) => name === `pre${script}` || name === `post${script}`))
      }),
  badExample: oneFile('package.json', '{ "scripts": { "pretest": "npm run build", "test": "vitest run" } }'),
}

export const dependencies: readonly Rule[] = [
  dependenciesArePinned,
  dependenciesHaveReasons,
  lockNamesNoRegistry,
  scriptsHaveNoHooks,
]
