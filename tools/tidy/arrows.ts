import { dirname, join } from 'node:path/posix'
import { importsOf } from './imports.ts'
import { isCode, type Repository, type RepositoryFile } from './repository.ts'
import { oneFile, type Rule } from './rule.ts'

/** The arrows: the packages that each package may import, without cycles. Each package has a row. */
const mayUse: Readonly<Record<string, readonly string[]>> = {
  contract: [],
  domain: ['contract'],
  storage: [],
  vault: ['contract'],
  connectors: ['contract', 'domain', 'iso8583'],
  'three-d-secure': ['contract'],
  iso8583: [],
  'settlement-files': ['contract', 'domain'],
  sftp: [],
  simulators: ['contract', 'domain', 'connectors', 'iso8583', 'settlement-files', 'sftp', 'three-d-secure'],
  widget: ['contract'],
  operations: ['contract', 'domain', 'storage', 'vault', 'connectors', 'three-d-secure', 'settlement-files'],
  gateway: ['operations', 'contract', 'domain', 'storage', 'vault', 'connectors', 'iso8583', 'sftp', 'widget'],
  shop: ['contract'],
  'json-acquirer': ['connectors', 'contract', 'domain'],
  cli: ['gateway', 'simulators', 'shop'],
}

/** Packages in `examples`, which are written for developers of merchants and of connectors. */
const examples: ReadonlySet<string> = new Set(['shop', 'json-acquirer'])

/** Further packages that tests may import. Tests of operations send requests to a whole gateway. */
const testsMayUse: Readonly<Record<string, readonly string[]>> = { operations: ['gateway'] }

/** The arrows of a folder. `tools` and `tests` are outside of the product and may use all of it. */
const arrowsOf = (folder: string): readonly string[] | undefined =>
  folder === 'tools' || folder === 'tests' ? Object.keys(mayUse) : mayUse[folder]

const permittedImportsOf = ({ path }: RepositoryFile, folder: string): readonly string[] => [
  ...(arrowsOf(folder) ?? []),
  ...(FOR_TESTS.test(path) ? (testsMayUse[folder] ?? []) : []),
]

/** The package of a file, such as `contract` of `packages/contract/src/row.ts`, or `tools` of `tools/build.mjs`. */
function folderOf(path: string): string | undefined {
  const [first, second] = path.split('/')
  if (first === 'packages' || first === 'examples') return second
  return first === 'tools' || first === 'tests' ? first : undefined
}

/**
 * The name of an imported package. A path inside the package stays in the name, so that no row of the table permits the
 * import. Only tests and tools may import a path: that of a package's helpers for tests.
 */
const importedPackage = (path: string, target: string): string => {
  const name = target.slice('@tollgate/'.length)
  return FOR_TESTS.test(path) ? name.replace(/\/testing(?:\/[\w-]+)?$/, '') : name
}

const FOR_TESTS = /^(tests|tools)\/|\/testing\/|\.test\.ts$/

function pathOf(folder: string): string {
  if (folder === 'tools' || folder === 'tests') return folder
  return `${examples.has(folder) ? 'examples' : 'packages'}/${folder}`
}

function modules(repository: Repository): readonly { file: RepositoryFile; folder: string }[] {
  return repository.flatMap((file) => {
    const folder = isCode(file) ? folderOf(file.path) : undefined
    return folder === undefined ? [] : [{ file, folder }]
  })
}

const importsFollowArrows: Rule = {
  name: 'imports follow the arrows between packages, and only tests and tools import a path inside a package',
  find: (repository) =>
    modules(repository).flatMap(({ file, folder }) =>
      importsOf(file)
        .filter(({ target }) => target.startsWith('@tollgate/'))
        .filter(({ target }) => !permittedImportsOf(file, folder).includes(importedPackage(file.path, target)))
        .map(({ place, target }) => `${place} ${folder} must not use ${target}`),
    ),
  badExample: oneFile('packages/domain/src/card.ts', "import type { Vault } from '@tollgate/vault'"),
}

const relativeImportsStayInPackage: Rule = {
  name: 'a relative import of a TypeScript module stays in its package',
  find: (repository) =>
    modules(repository).flatMap(({ file, folder }) =>
      importsOf(file)
        .filter(({ target }) => target.startsWith('.') && target.endsWith('.ts'))
        .filter(({ target }) => !join(dirname(file.path), target).startsWith(`${pathOf(folder)}/`))
        .map(({ place, target }) => `${place} ${target} leaves ${folder}`),
    ),
  badExample: oneFile('packages/operations/src/ids.ts', "import { limits } from '../../domain/src/limits.ts'"),
}

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly references?: readonly { readonly path: string }[]
}

function manifests(
  repository: Repository,
  name: string,
): readonly { path: string; folder: string; manifest: Manifest }[] {
  return repository.flatMap(({ path, text }) => {
    const folder = folderOf(path)
    if (folder === undefined || path !== `${pathOf(folder)}/${name}`) return []
    const manifest: Manifest = JSON.parse(text)
    return [{ path, folder, manifest }]
  })
}

const ownPackages = ({ dependencies = {} }: Manifest): readonly string[] =>
  Object.keys(dependencies)
    .filter((dependency) => dependency.startsWith('@tollgate/'))
    .map((dependency) => dependency.slice('@tollgate/'.length))

const dependenciesFollowArrows: Rule = {
  name: 'every package.json has only dependencies that the arrows allow',
  find: (repository) =>
    manifests(repository, 'package.json').flatMap(({ path, folder, manifest }) => {
      const arrows = arrowsOf(folder)
      if (arrows === undefined) return [`${path} belongs to a package without a row in the table of arrows`]
      return ownPackages(manifest)
        .filter((dependency) => !arrows.includes(dependency))
        .map((dependency) => `${path} must not depend on ${dependency}`)
    }),
  badExample: oneFile('packages/contract/package.json', '{ "dependencies": { "@tollgate/domain": "0.1.0" } }'),
}

const referencesAreDependencies: Rule = {
  name: 'the tsconfig.json of a package refers to exactly its dependencies, so that they are built first',
  find: (repository) => {
    const dependencies = new Map(
      manifests(repository, 'package.json').map(({ folder, manifest }) => [folder, ownPackages(manifest).toSorted()]),
    )
    return manifests(repository, 'tsconfig.json').flatMap(({ path, folder, manifest }) => {
      const references = (manifest.references ?? [])
        .map((reference) => reference.path.split('/').at(-1) ?? '')
        .toSorted()
      const expected = dependencies.get(folder) ?? []
      return references.join() === expected.join()
        ? []
        : [`${path} refers to ${references.join()}, not ${expected.join()}`]
    })
  },
  badExample: [
    { path: 'packages/vault/package.json', text: '{ "dependencies": { "@tollgate/contract": "0.1.0" } }' },
    { path: 'packages/vault/tsconfig.json', text: '{ "references": [] }' },
  ],
}

const arrowsAreDependencies: Rule = {
  name: 'every arrow between packages is a dependency in package.json',
  find: (repository) =>
    manifests(repository, 'package.json').flatMap(({ path, folder, manifest }) => {
      const dependencies = ownPackages(manifest)
      return (mayUse[folder] ?? [])
        .filter((arrow) => !dependencies.includes(arrow))
        .map((arrow) => `${path} does not depend on ${arrow}`)
    }),
  badExample: oneFile('packages/vault/package.json', '{ "dependencies": {} }'),
}

const hasSameItems = (one: readonly string[], other: readonly string[]): boolean =>
  one.toSorted().join() === other.toSorted().join()

/** A row of the diagram: a package, and the packages that it uses. */
const DIAGRAM_ROW = /^([a-z][a-z0-9-]*) +► ?(.*)$/gm

const diagramShowsArrows: Rule = {
  name: 'the diagram of the packages in ARCHITECTURE.md shows exactly the arrows',
  find: (repository) =>
    repository
      .filter(({ path }) => path === 'ARCHITECTURE.md')
      .flatMap(({ path, text }) => {
        const diagram = new Map(
          Array.from(text.matchAll(DIAGRAM_ROW), ([, name = '', targets = '']) => [name, targets.match(/\S+/g) ?? []]),
        )
        return [...new Set([...Object.keys(mayUse), ...diagram.keys()])]
          .filter((name) => !hasSameItems(diagram.get(name) ?? ['not shown'], mayUse[name] ?? ['no package']))
          .map(
            (name) =>
              `${path} ${name}: the arrows are ${mayUse[name]?.join(' ') ?? 'none, because this is no package'}`,
          )
      }),
  badExample: oneFile(
    'ARCHITECTURE.md',
    Object.entries(mayUse)
      .map(([name, targets]) => `${name} ► ${name === 'domain' ? 'vault' : targets.join(' ')}\n`)
      .join(''),
  ),
}

export const arrows: readonly Rule[] = [
  importsFollowArrows,
  relativeImportsStayInPackage,
  dependenciesFollowArrows,
  arrowsAreDependencies,
  diagramShowsArrows,
  referencesAreDependencies,
]
