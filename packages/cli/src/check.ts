import { type CheckResult, checkStopped, readConfig } from '@tollgate/gateway'
import { CommandError, manage, NoGatewayError } from './manage-client.ts'

/**
 * `tollgate check`: proves an installation before its first payment, one line for each result. The running gateway
 * checks itself; if none runs, this process opens the installation and checks it.
 *
 * @throws CommandError if a check has failed
 * @throws ConfigError if no gateway runs, and a start would be refused
 */
export async function check({ json = false }: { readonly json?: boolean }): Promise<void> {
  const results = (await resultsOfRunning()) ?? (await resultsOfStopped())
  process.stdout.write(json ? `${JSON.stringify(results, null, 2)}\n` : results.map(lineOf).join(''))
  const failures = results.filter(({ verdict }) => verdict === 'failed').length
  if (failures > 0) throw new CommandError(`${failures} ${failures === 1 ? 'check has' : 'checks have'} failed`)
}

const lineOf = ({ verdict, name, text }: CheckResult): string => `${verdict.padEnd(8)}${name.padEnd(14)}${text}\n`

/** @returns undefined: no gateway runs */
async function resultsOfRunning(): Promise<readonly CheckResult[] | undefined> {
  try {
    return resultsIn(await manage('GET', '/check'))
  } catch (error) {
    if (error instanceof NoGatewayError) return undefined
    throw error
  }
}

async function resultsOfStopped(): Promise<readonly CheckResult[]> {
  process.stderr.write('No gateway runs: this process checks the installation.\n')
  return checkStopped(readConfig(process.env))
}

function resultsIn(answer: unknown): readonly CheckResult[] {
  const results: unknown = typeof answer === 'object' && answer !== null ? Reflect.get(answer, 'results') : undefined
  if (!Array.isArray(results) || !results.every(isResult)) throw new CommandError('the gateway has another version')
  return results
}

const isResult = (value: unknown): value is CheckResult =>
  typeof value === 'object' &&
  value !== null &&
  ['name', 'verdict', 'text'].every((name) => typeof Reflect.get(value, name) === 'string')
