import { dirname, join } from 'node:path/posix'
import { importsOf } from './imports.ts'
import { isProduct, type Repository, type RepositoryFile } from './repository.ts'
import { oneFile, type Rule } from './rule.ts'

/** A layer of a package: its files, and the layers of the same package that they may import besides their own. */
interface Layer {
  readonly name: string
  readonly mayImport: readonly string[] | 'all below'
  /** Files, and folders with a slash at their end, below src; the longest match counts. */
  readonly paths: readonly string[]
}

const wordsOf = (text: string): readonly string[] => text.split(' ').filter((word) => word !== '')

/**
 * @param mayImport names of layers, separated by blanks, or `*` for all layers below
 * @param paths files without `.ts` and folders, separated by blanks; by default the folder with the name of the layer
 */
const layer = (name: string, mayImport: string, paths = `${name}/`): Layer => ({
  name,
  mayImport: mayImport === '*' ? 'all below' : wordsOf(mayImport),
  paths: wordsOf(paths).map((path) => (path.endsWith('/') ? path : `${path}.ts`)),
})

const CORE = 'base directory core'
const RECORDS = `${CORE} requests records`

/**
 * The layers of `operations`, from the bottom up. Above records, features import each other only as the rows permit:
 * registrations, schedules, redirects and checkouts use payments, and payments use none of these four.
 */
const operations: readonly Layer[] = [
  layer(
    'base',
    '',
    'limits narrow hex schema-fault memoize-last clock ids wait log error-fields audit counters table-cache fingerprint ' +
      'derived-id job job-transitions commit-change background-task concurrency/ ports/',
  ),
  layer('directory', 'base'),
  layer('connectors', 'base'),
  layer(
    'core',
    'base directory',
    'answer request-head pending-unit command-handler context refusal-answer system-head busy-watch',
  ),
  // Readers of parameters, and the requests that they produce.
  layer('requests', CORE, 'parameters/ requests'),
  layer('records', `${CORE} requests`),
  layer('accounts', RECORDS),
  layer('acquirer', `${RECORDS} accounts`),
  layer('risk', `${RECORDS} accounts`),
  layer('three-d-secure', `${RECORDS} accounts acquirer`),
  layer('payments', `${RECORDS} accounts acquirer risk three-d-secure`),
  layer('registrations', `${RECORDS} accounts acquirer payments`),
  layer('schedules', `${RECORDS} accounts payments`),
  layer('redirects', `${RECORDS} accounts acquirer three-d-secure payments`),
  layer('queries', RECORDS),
  layer('ledger', `${RECORDS} acquirer`),
  layer('disputes', `${RECORDS} payments ledger`),
  layer('clearing', `${RECORDS} acquirer ledger`),
  layer('payouts', `${RECORDS} connectors acquirer ledger`),
  layer('bank', `${RECORDS} acquirer ledger payouts`),
  layer('settlement', `${RECORDS} acquirer payments ledger bank`),
  layer('reports', `${RECORDS} acquirer queries ledger settlement`),
  layer('sftp', `${RECORDS} settlement reports`),
  layer('webhooks', RECORDS),
  layer('checkouts', `${RECORDS} accounts acquirer payments registrations redirects webhooks`),
  layer('retention', `${RECORDS} webhooks`),
  layer('administration', `${RECORDS} connectors accounts acquirer sftp webhooks`),
  layer('assembly', '*', 'index jobs operations outbox'),
]

/**
 * The doors of the features of `operations`: the modules that other features may import. The other modules of a feature
 * are private. Only the assembly, which collects the exports of the package, may import them.
 */
const doors: Readonly<Record<string, readonly string[]>> = {
  accounts: wordsOf('bank-account card instrument redirected resolve-account stored-instrument virtual-account'),
  acquirer: wordsOf(
    'acquirer-response attempts authorisation-request card-retries clearing-of connector-of hasten-reversal ' +
      'lend-account ' +
      'remote-request send-authorisation with-outcome',
  ),
  risk: wordsOf('check-risk risk-subject risk-view'),
  'three-d-secure': wordsOf(
    'authenticate authentication-proof device finish-standalone requestor start-authentication',
  ),
  payments: wordsOf(
    'acceptance begin-payment card-on-file new-registration on-file-changes payment-context payment-unit ' +
      'refer-to-payment',
  ),
  registrations: ['register'],
  schedules: [],
  redirects: ['cancel-session'],
  queries: ['answers'],
  ledger: wordsOf('complete-to daily-sums dated-plans days entry-ids percentage report'),
  disputes: [],
  clearing: [],
  payouts: wordsOf('account-entry-rows payout-state'),
  bank: ['new-bank-entries'],
  settlement: wordsOf('receive-file record-lines stored-row'),
  reports: ['settlement-csv'],
  sftp: wordsOf('account-credentials account-settings settlement-pull sftp-accounts sftp-context'),
  webhooks: wordsOf(
    'attempts call-address delivery-context delivery-order new-delivery new-notification webhook webhook-cache ' +
      'webhook-keys',
  ),
  checkouts: [],
  retention: [],
  administration: [],
}

const HTTP = 'base http/base interface http/shared'

/** The layers of `gateway`, from the bottom up. Only those above `interface` may name the type `Gateway`. */
const gateway: readonly Layer[] = [
  layer('base', '', 'limits setting-kinds config assets single-slashes'),
  layer('runtime', 'base'),
  layer('tombstones', 'base runtime'),
  layer('keys', 'base'),
  layer('page-integrity', 'base'),
  layer('tls', 'base runtime'),
  layer('outgoing', 'base runtime tls'),
  layer('sftp-server', 'base runtime tls'),
  layer('throttle', 'base runtime'),
  layer('data-set', 'base runtime keys tombstones'),
  layer('metrics', 'base runtime page-integrity'),
  layer(
    'http/base',
    'base',
    'http/client-info http/answer-and-close http/allowed-methods http/faults http/wipe-unread http/linger',
  ),
  layer('http/connections', 'base runtime http/base'),
  layer(
    'interface',
    'base runtime metrics tls outgoing sftp-server throttle keys page-integrity http/connections http/base',
    'gateway missing-in-live',
  ),
  layer(
    'http/shared',
    'base runtime metrics tls http/connections http/base interface',
    'http/accepts http/listener http/replies http/health http/drain http/address-pacing-hook',
  ),
  layer('http/pages', `${HTTP} throttle page-integrity`),
  layer('http/public', `${HTTP} metrics throttle http/connections http/pages`),
  layer('http/manage', `${HTTP} runtime metrics keys page-integrity outgoing`),
  layer('assembly', '*', 'check-stopped compose index refuse-live start-error start-gateway start-tasks'),
]

/** The packages that are large enough to need layers of their own. */
const packages: Readonly<Record<string, readonly Layer[]>> = { operations, gateway }

const packageOf = ({ path }: RepositoryFile): string => path.split('/')[1] ?? ''

/** The layer of a file by its path below src. */
function layerOf(layers: readonly Layer[], path: string): Layer | undefined {
  const matchLength = ({ paths }: Layer): number =>
    Math.max(
      0,
      ...paths
        .filter((prefix) => (prefix.endsWith('/') ? path.startsWith(prefix) : path === prefix))
        .map((prefix) => prefix.length),
    )
  const [best] = layers.toSorted((one, other) => matchLength(other) - matchLength(one))
  return best !== undefined && matchLength(best) > 0 ? best : undefined
}

function violationsIn(file: RepositoryFile, layers: readonly Layer[]): readonly string[] {
  const source = `packages/${packageOf(file)}/src/`
  const from = layerOf(layers, file.path.slice(source.length))
  if (!from) return [`${file.path} is in no layer`]
  return importsOf(file).flatMap(({ place, target }) => {
    const to = layerOf(layers, join(dirname(file.path), target).slice(source.length))
    if (!to || to === from) return []
    const isBelow = layers.indexOf(to) < layers.indexOf(from)
    if (isBelow && (from.mayImport === 'all below' || from.mayImport.includes(to.name))) return []
    return [`${place} ${from.name} must not import ${target} of ${to.name}`]
  })
}

const importsFollowLayers: Rule = {
  name: 'imports in operations and gateway follow the layers of their package, types included',
  find: (repository) =>
    repository.filter(isProduct).flatMap((file) => {
      const layers = packages[packageOf(file)]
      return layers === undefined ? [] : violationsIn(file, layers)
    }),
  badExample: oneFile(
    'packages/operations/src/records/plan-record.ts',
    "import type { Plan } from '../schedules/plan.ts'",
  ),
}

const OPERATIONS = 'packages/operations/src/'

/** Imports of a feature's modules by other features: `feature/module`. */
function importsBetweenFeatures(
  repository: Repository,
): readonly { readonly place: string; readonly module: string }[] {
  return repository
    .filter((file) => isProduct(file) && file.path.startsWith(OPERATIONS))
    .flatMap((file) => {
      const from = layerOf(operations, file.path.slice(OPERATIONS.length))
      if (from?.name === 'assembly') return []
      return importsOf(file).flatMap(({ place, target }) => {
        const path = join(dirname(file.path), target).slice(OPERATIONS.length)
        const to = layerOf(operations, path)
        if (!to || to === from || doors[to.name] === undefined) return []
        return [{ place, module: path.replace(/\.ts$/, '') }]
      })
    })
}

const doorModules = Object.entries(doors).flatMap(([feature, names]) => names.map((name) => `${feature}/${name}`))

const featuresImportDoorsOnly: Rule = {
  name: 'a feature of operations imports only the doors of other features',
  find: (repository) =>
    importsBetweenFeatures(repository)
      .filter(({ module }) => !doorModules.includes(module))
      .map(({ place, module }) => `${place} ${module} is private to its feature`),
  badExample: oneFile(
    'packages/operations/src/schedules/run-schedule.job.ts',
    "import type { Offer } from '../payments/duplicates.ts'",
  ),
}

const doorsAreUsed: Rule = {
  name: 'no door of a feature lists a module that no other feature imports',
  find: (repository) => {
    const used = new Set(importsBetweenFeatures(repository).map(({ module }) => module))
    return doorModules.filter((module) => !used.has(module))
  },
  badExample: oneFile(
    'packages/operations/src/payments/acceptance.ts',
    "import type { Card } from '../accounts/card.ts'",
  ),
}

export const layers: readonly Rule[] = [importsFollowLayers, featuresImportDoorsOnly, doorsAreUsed]
