import { dirname, join } from 'node:path/posix'
import { importsOf } from './imports.ts'
import { isProduct, lineAt, type Repository, type RepositoryFile, withoutComments } from './repository.ts'
import type { Rule } from './rule.ts'

/** Modules that must not import other modules, directly or indirectly, types included. */
interface Separation {
  readonly name: string
  readonly from: RegExp
  readonly never: RegExp
  /** Two modules, of which the first imports a forbidden module through the second. */
  readonly badExample: readonly [path: string, target: string, path: string, target: string]
}

/** The folders of the package operations with the features for merchants, shoppers and operators. */
const FEATURES = 'payments|registrations|schedules|redirects|checkouts|risk|queries|retention|administration'
/** The modules that build authentication requests. */
const BUILDER = 'authentication-network|authentication-request|requestor|server-reference|server-transaction-id'

const table: readonly Separation[] = [
  {
    name: 'operations do not depend on the job runner: they declare jobs',
    from: /^packages\/operations\//,
    never: /^packages\/gateway\/src\/runtime\//,
    badExample: [
      'packages/operations/src/payments/end-authorisation.job.ts',
      '@tollgate/gateway',
      'packages/gateway/src/index.ts',
      './runtime/job-runner.ts',
    ],
  },
  {
    name: 'the modules of acquirer, except its jobs, depend neither on features of operations nor on jobs',
    from: /^packages\/operations\/src\/acquirer\/[^.]+\.ts$/,
    never: new RegExp(`^packages/operations/src/(?:(?:${FEATURES}|three-d-secure|webhooks)/|jobs\\.ts|.*\\.job\\.ts)`),
    badExample: [
      'packages/operations/src/acquirer/remote-request.ts',
      '../records/outcome.ts',
      'packages/operations/src/records/outcome.ts',
      '../acquirer/timeout-reversal.job.ts',
    ],
  },
  {
    name: 'webhooks depend neither on other features of operations nor on acquirers',
    from: /^packages\/operations\/src\/webhooks\//,
    never: new RegExp(`^packages/operations/src/(?:${FEATURES}|three-d-secure|acquirer)/`),
    badExample: [
      'packages/operations/src/webhooks/notify.job.ts',
      '../records/result-address.ts',
      'packages/operations/src/records/result-address.ts',
      '../payments/acceptance.ts',
    ],
  },
  {
    name: 'the context of operations does not depend on listeners',
    from: /^packages\/operations\/src\/context\.ts$/,
    never: /^packages\/gateway\/src\/http\//,
    badExample: [
      'packages/operations/src/context.ts',
      '@tollgate/gateway',
      'packages/gateway/src/index.ts',
      './http/connections/connection-bounds.ts',
    ],
  },
  {
    name: 'the modules that build 3-D Secure messages do not depend on features of operations',
    from: new RegExp(`^packages/operations/src/three-d-secure/(?:${BUILDER})\\.ts$`),
    never: new RegExp(
      `^packages/operations/src/(?:(?:${FEATURES}|webhooks|acquirer)/|three-d-secure/(?!(?:${BUILDER})\\.ts$))`,
    ),
    badExample: [
      'packages/operations/src/three-d-secure/authentication-request.ts',
      './requestor.ts',
      'packages/operations/src/three-d-secure/requestor.ts',
      './start-authentication.ts',
    ],
  },
  {
    name: 'page integrity does not depend on listeners',
    from: /^packages\/gateway\/src\/page-integrity\//,
    never: /^packages\/gateway\/src\/http\//,
    badExample: [
      'packages/gateway/src/page-integrity/watch-pages.ts',
      '../gateway.ts',
      'packages/gateway/src/gateway.ts',
      './http/connections/connection-bounds.ts',
    ],
  },
]

/** The module of the repository that an import names; undefined for a library. */
function moduleOf(path: string, target: string): string | undefined {
  if (target.startsWith('.')) return join(dirname(path), target)
  return target.startsWith('@tollgate/') ? `packages/${target.slice('@tollgate/'.length)}/src/index.ts` : undefined
}

/**
 * The modules that modules of `from` import directly or indirectly, the nearest first, each with a module that imports
 * it; the modules of `from` themselves have none.
 */
function importedFrom(repository: Repository, from: RegExp): ReadonlyMap<string, string | undefined> {
  const files = new Map(repository.filter(isProduct).map((file) => [file.path, file]))
  const importers = new Map<string, string | undefined>()
  for (const path of files.keys()) if (from.test(path)) importers.set(path, undefined)
  // The iteration of a map includes entries that are added during it.
  for (const path of importers.keys()) {
    const file = files.get(path)
    for (const { target } of file ? importsOf(file) : []) {
      const next = moduleOf(path, target)
      if (next !== undefined && !importers.has(next)) importers.set(next, path)
    }
  }
  return importers
}

function importChain(path: string, importers: ReadonlyMap<string, string | undefined>): string {
  const importer = importers.get(path)
  return importer === undefined ? path : `${importChain(importer, importers)} → ${path}`
}

const separationRule = ({ name, from, never, badExample: [path, target, nextPath, nextTarget] }: Separation): Rule => ({
  name,
  find: (repository) => {
    const importers = importedFrom(repository, from)
    const forbidden = [...importers.keys()].find((module) => never.test(module))
    return forbidden === undefined ? [] : [importChain(forbidden, importers)]
  },
  badExample: [
    { path, text: `import { next } from '${target}'` },
    { path: nextPath, text: `import type { Last } from '${nextTarget}'` },
  ],
})

/** The exports of the simulator through the connectors' index, except the connector itself, `createSimulator`. */
const simulatorTables = (repository: Repository): readonly string[] =>
  repository
    .filter(({ path }) => path === 'packages/connectors/src/index.ts')
    .flatMap(({ text }) => Array.from(text.matchAll(/^export \{([^}]+)\} from '\.\/simulator\//gm)))
    .flatMap(([, names = '']) => names.split(',').map((name) => name.replace('type ', '').trim()))
    .filter((name) => name !== '' && name !== 'createSimulator')

const readsSimulator = ({ path }: RepositoryFile): boolean => /^packages\/(?:connectors|simulators)\//.test(path)

const simulatorTablesArePrivate: Rule = {
  name: 'tables of a simulator are read only by simulators and the in-process connector',
  find: (repository) => {
    const tables = simulatorTables(repository)
    return repository
      .filter((file) => isProduct(file) && !readsSimulator(file))
      .flatMap((file) => {
        const code = withoutComments(file.text)
        return Array.from(code.matchAll(/\{([^}]*)\} from '@tollgate\/connectors'/g)).flatMap((match) =>
          (match[1] ?? '')
            .split(',')
            .map((name) => name.replace('type ', '').trim())
            .filter((name) => tables.includes(name))
            .map((name) => `${file.path}:${lineAt(code, match.index)} ${name}`),
        )
      })
  },
  exceptions: ['packages/operations/src/payments/acceptance.ts'],
  badExample: [
    { path: 'packages/connectors/src/index.ts', text: "export { testCards } from './simulator/test-cards.ts'\n" },
    { path: 'packages/gateway/src/compose.ts', text: "import { testCards } from '@tollgate/connectors'\n" },
  ],
}

/** The rules about modules that must stay separate. Each examines several files together. */
export const separations: readonly Rule[] = [...table.map(separationRule), simulatorTablesArePrivate]
