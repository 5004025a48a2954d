// `npm test`: installs packages if they are missing, builds changed files, and runs vitest with the given arguments.
// The arguments may name source files, of which vitest runs the built tests: `packages/domain/src/money.ts` selects the
// tests of that module.
// With --watch, changed files are built and their tests run until interrupted.
import { execFileSync, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'

const root = join(import.meta.dirname, '..')
if (!existsSync(join(root, 'node_modules/vitest'))) {
  execFileSync('npm', ['install'], { cwd: root, stdio: 'inherit' })
}
execFileSync(process.execPath, [join(import.meta.dirname, 'build.mjs')], { cwd: root, stdio: 'inherit' })

const testArguments = process.argv.slice(2)
const isWatching = testArguments.includes('--watch')
const start = (path, args, stdin) =>
  spawn(process.execPath, [join(root, 'node_modules', path), ...args], {
    cwd: root,
    stdio: [stdin, 'inherit', 'inherit'],
  })
const compiler = isWatching
  ? start('typescript/bin/tsc', ['-b', '--watch', '--preserveWatchOutput'], 'ignore')
  : undefined
const vitest = start('vitest/vitest.mjs', [...(isWatching ? [] : ['run']), ...testArguments.map(builtPath)], 'inherit')
vitest.on('exit', (code) => {
  compiler?.kill()
  process.exitCode = code ?? 1
})

/** The built tests of a source file, or of a folder below `src`, `tools` or `tests`; other arguments stay unchanged. */
function builtPath(argument) {
  if (!existsSync(argument)) return argument
  const path = relative(root, argument)
  const [, folder, rest] = /^((?:packages|examples)\/[^/]+\/src|tools|tests)(?!\/dist\/)(?:\/(.+))?$/.exec(path) ?? []
  if (!folder) return argument
  if (!rest) return join(folder.replace(/src$/, ''), 'dist')
  // money.ts becomes `money.`, the beginning of the names of its tests, whatever their suffix.
  const built = rest.replace(/\.test\.ts$/, '.test.js').replace(/\.ts$/, '.')
  return join(folder.replace(/src$/, ''), 'dist', built)
}
