import { isCode, isProduct, lineAt, type RepositoryFile, withoutComments } from './repository.ts'
import { oneFile, type Rule } from './rule.ts'

/** Code that is banned in some files. */
interface Ban {
  readonly name: string
  readonly where: (file: RepositoryFile) => boolean
  readonly pattern: RegExp
  readonly exceptions?: readonly string[]
  readonly badExample: readonly [path: string, code: string]
}

const productOf =
  (...packages: readonly string[]) =>
  (file: RepositoryFile): boolean =>
    isProduct(file) && packages.some((name) => file.path.startsWith(`packages/${name}/`))

const isTest = ({ path }: RepositoryFile): boolean => path.endsWith('.test.ts')

const CLOCK = /\bDate\.now\b|\bnew Date\(\)|\bperformance\.now\b/g
const RANDOM = /\bMath\.random\b|\brandom(?:Bytes|Fill|FillSync|UUID|Int)\b|\bgetRandomValues\b/g

/** Modules of operations that refuse with a result code of their own. */
const rulesOutsideDomain: readonly string[] = [
  'accounts/card',
  'accounts/stored-instrument',
  'accounts/wallet',
  'payments/refer-to-payment',
  'records/registration-record',
  'registrations/update-registration',
  'registrations/updated-instrument',
  'risk/standalone-check',
  'schedules/active-plan',
  'schedules/new-plan',
  'schedules/read-schedule',
  'three-d-secure/authentication-refusal',
  'three-d-secure/start-authentication',
].map((path) => `packages/operations/src/${path}.ts`)

const isOperation = productOf('operations')

/** Modules that make messages of 3-D Secure from parameters, which they read by name. */
const parametersByName: readonly string[] = ['authenticate', 'authentication-request', 'requestor'].map(
  (name) => `packages/operations/src/three-d-secure/${name}.ts`,
)

const table: readonly Ban[] = [
  {
    name: 'URLs are parsed by parseUrl: on Node 20 URL.canParse refuses umlauts after some thousand calls',
    where: (file) => isProduct(file) && file.path !== 'packages/contract/src/parse-url.ts',
    pattern: /\bcanParse\b/g,
    badExample: ['packages/gateway/src/config.ts', 'if (!URL.canParse(text)) return undefined'],
  },
  {
    name: 'the contract and the rules read no clock',
    where: productOf('contract', 'domain'),
    pattern: CLOCK,
    badExample: ['packages/domain/src/card.ts', 'const nowMs = Date.now()'],
  },
  {
    name: 'the contract and the rules use no random numbers',
    where: productOf('contract', 'domain'),
    pattern: RANDOM,
    badExample: ['packages/domain/src/ids.ts', 'const id = Math.random()'],
  },
  {
    name: 'the contract and the rules use no API of Node, so that they run anywhere and do no I/O',
    where: productOf('contract', 'domain'),
    pattern: /'node:|\bprocess\.|\bBuffer\b|\bfetch\(|\bset(?:Timeout|Interval|Immediate)\(/g,
    badExample: ['packages/contract/src/countries.ts', "import { readFileSync } from 'node:fs'"],
  },
  {
    name: 'the simulator gives the same answer in every run: it uses no clock, no random numbers and no module of Node',
    where: ({ path }) => path.startsWith('packages/connectors/src/simulator/') && !path.endsWith('.test.ts'),
    pattern: new RegExp(`${CLOCK.source}|${RANDOM.source}|'node:`, 'g'),
    badExample: ['packages/connectors/src/simulator/answer.ts', 'const seen = new Date()'],
  },
  {
    name: 'storage and vault receive the time as an argument',
    where: productOf('storage', 'vault'),
    pattern: CLOCK,
    badExample: ['packages/vault/src/key.ts', 'const nowMs = Date.now()'],
  },
  {
    name: 'operations and the gateway take the time from their clock; only the clock and the log call Date',
    where: (file) =>
      productOf('operations', 'gateway')(file) &&
      !/^packages\/gateway\/src\/runtime\/(?:clock\/movable-clock|log)\.ts$/.test(file.path),
    pattern: /\bDate\.now\b|\bnew Date\(\)/g,
    badExample: ['packages/operations/src/command-handler.ts', 'const at = Date.now()'],
  },
  {
    name: 'operations do not depend on HTTP',
    where: productOf('operations'),
    pattern: /'(?:fastify|undici|node:https?|node:http2|node:tls)'|\bfetch\(/g,
    badExample: ['packages/operations/src/webhooks/deliver.job.ts', 'const answer = await fetch(url)'],
  },
  {
    name: 'operations read parameters by name in parameters/ and requests.ts only',
    where: (file) => isOperation(file) && !/\/src\/(?:parameters\/|requests\.ts$)/.test(file.path),
    pattern: /\b(?:values|secrets)\.(?:get|has)\(|\bisTrue\(|\b(?:parameters|readStoredParameters\([\w.]+\))\[['`]/g,
    exceptions: parametersByName,
    badExample: [
      'packages/operations/src/payments/rebill.ts',
      "const type = request.parameters.values.get('paymentType')",
    ],
  },
  {
    name: 'operations read the parameters of a request, not the form in which they were sent',
    where: isOperation,
    pattern: /\b(?:decodeForm|checkForm|withoutParameters)\b|\btype Form\b/g,
    badExample: ['packages/operations/src/schedules/charge-request.ts', 'const sent = decodeForm(bytes)'],
  },
  {
    name: 'operations check merged parameters in checkout-request.ts only',
    where: (file) => isOperation(file) && !file.path.endsWith('/checkouts/checkout-request.ts'),
    pattern: /\bcheckParameters\b/g,
    badExample: [
      'packages/operations/src/checkouts/update-checkout.ts',
      "const wrong = checkParameters(all, 'createCheckout')",
    ],
  },
  {
    name: 'handlers neither decide nor commit',
    where: (file) => isProduct(file) && file.path.startsWith('packages/gateway/src/http/'),
    pattern: /\.commit\(|\bunseal\w*\(|\bwebhooks\.change\(|\bdecide\w*\b[^}]*\} from '@tollgate\/domain'/g,
    badExample: ['packages/gateway/src/http/manage/tokens.ts', 'await gateway.storage.commit({ tokens: [row] })'],
  },
  {
    name: 'rules with a result code are in the domain only',
    where: productOf('operations', 'gateway', 'storage', 'vault', 'three-d-secure'),
    pattern: /\brefused\(|\bGuard<|\bfirstFailure\(/g,
    exceptions: rulesOutsideDomain,
    badExample: ['packages/operations/src/schedules/new-plan.ts', "return refused('700.500.001', 'too many plans')"],
  },
  {
    name: 'the product does not use Math.random, whose values are predictable',
    where: isProduct,
    pattern: /\bMath\.random\b/g,
    badExample: ['packages/operations/src/ids.ts', 'const id = Math.random().toString(16)'],
  },
  {
    name: "bounds are in their package's limits.ts",
    where: (file) => isProduct(file) && !file.path.endsWith('/limits.ts'),
    pattern: /\bconst (?:[A-Z]+_)*(?:MAX|MIN|TIMEOUT)(?:_[A-Z]+)*\b/g,
    badExample: ['packages/operations/src/directory/directory.ts', 'const RECENT_MAX = 10_000'],
  },
  {
    name: 'only commands read the environment',
    where: productOf('contract', 'domain', 'storage', 'vault', 'connectors', 'operations', 'gateway'),
    pattern: /\bprocess\.env\b/g,
    badExample: ['packages/gateway/src/compose.ts', 'const port = process.env.PORT'],
  },
  {
    name: 'a worker is ended by a message: terminate() in the middle of a call of the driver aborts the process',
    where: (file) => isCode(file) && file.path.startsWith('packages/'),
    pattern: /\.terminate\(/g,
    badExample: ['packages/storage/src/sqlite/commit.ts', 'await worker.terminate()'],
  },
  {
    name: 'no cast past the compiler',
    where: isCode,
    pattern: /\bas unknown as\b|\bas never\b/g,
    badExample: ['tools/bench.ts', 'const row = answer as unknown as Row'],
  },
  {
    name: 'no test is exclusive, skipped, without a body or expected to fail',
    where: isTest,
    pattern: /\.(?:only|skip|todo|fails)\b\(?/g,
    badExample: ['packages/domain/src/card.test.ts', "test.only('a card', () => {})"],
  },
]

/** The rules of the table. They check code without comments: a comment may contain a banned word. */
export const bans: readonly Rule[] = table.map(({ name, where, pattern, exceptions = [], badExample }) => ({
  name,
  exceptions,
  find: (repository) =>
    repository.filter(where).flatMap((file) => {
      const code = withoutComments(file.text)
      return Array.from(code.matchAll(pattern), (match) => `${file.path}:${lineAt(code, match.index)} ${match[0]}`)
    }),
  badExample: oneFile(...badExample),
}))
