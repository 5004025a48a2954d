import type { CheckResult } from '@tollgate/gateway'
import { CommandError, manage } from './manage-client.ts'

/**
 * `tollgate check`: proves a running installation before its first payment, one line for each result.
 *
 * @throws CommandError if a check has failed, or no gateway answers
 */
export async function check({ json = false }: { readonly json?: boolean }): Promise<void> {
  const results = resultsIn(await manage('GET', '/check'))
  process.stdout.write(json ? `${JSON.stringify(results, null, 2)}\n` : results.map(lineOf).join(''))
  const failures = results.filter(({ verdict }) => verdict === 'failed').length
  if (failures > 0) throw new CommandError(`${failures} ${failures === 1 ? 'check has' : 'checks have'} failed`)
}

const lineOf = ({ verdict, name, text }: CheckResult): string => `${verdict.padEnd(8)}${name.padEnd(14)}${text}\n`

function resultsIn(answer: unknown): readonly CheckResult[] {
  const results: unknown = typeof answer === 'object' && answer !== null ? Reflect.get(answer, 'results') : undefined
  if (!Array.isArray(results) || !results.every(isResult)) throw new CommandError('the gateway has another version')
  return results
}

const isResult = (value: unknown): value is CheckResult =>
  typeof value === 'object' &&
  value !== null &&
  ['name', 'verdict', 'text'].every((name) => typeof Reflect.get(value, name) === 'string')
