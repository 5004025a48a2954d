// What `npm test` needs before the first test runs: installed packages and a fresh build.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
if (!existsSync(join(root, 'node_modules/vitest'))) {
  execFileSync('npm', ['install'], { cwd: root, stdio: 'inherit' })
}
execFileSync(process.execPath, [join(import.meta.dirname, 'build.mjs')], { cwd: root, stdio: 'inherit' })
