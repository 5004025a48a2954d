import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/**
 * Every custom parameter that the product reads by its name, and its meaning in the live environment. That those of the
 * simulator have no effect there is tested in packages/gateway/src/live-surfaces.storage.test.ts.
 */
const customParametersInLive: Readonly<Record<string, string>> = {
  '3DS2_billingUnavailable': 'the same as in test: parts of the billing address that do not exist',
  '3DS2_enrolled': 'none: read for test issuers and test cards only, and live has no directory server',
  '3DS2_flow': 'none: read for test issuers only, and live has no directory server',
  forceAcquirerResponse: 'none: only the simulator reads it',
  forceAvsResponse: 'none: only the simulator reads it',
  forceCvvResponse: 'none: only the simulator reads it',
  forceMerchantAdviceCode: 'none: only the simulator reads it',
  forceResultCode: 'none: only the simulator reads it',
}

/** The template of all custom parameters, and an example in a comment. */
const examples: ReadonlySet<string> = new Set(['name', 'note'])

const packages = join(import.meta.dirname, '../../packages')

function sourcesOf(folder: string): readonly string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const sources = names.filter((name) => /^[^/]+\/src\/.*\.ts$/.test(name) && !/\.test\.ts$|\/testing\//.test(name))
  return sources.map((name) => readFileSync(join(folder, name), 'utf8'))
}

test('each custom parameter that the product reads has a meaning in live, or none', () => {
  const read = sourcesOf(packages).flatMap((source) =>
    Array.from(source.matchAll(/customParameters\[(\w+)\]/g), ([, name = '']) => name),
  )
  const names = [...new Set(read)].filter((name) => !examples.has(name))
  expect(names.toSorted()).toEqual(Object.keys(customParametersInLive).toSorted())
})
