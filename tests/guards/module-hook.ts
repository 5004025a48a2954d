// This module is loaded by `node --import`. It inserts the switch for guards into the modules of the built product when
// they are loaded.
import { type LoadHook, register } from 'node:module'
import { isMainThread } from 'node:worker_threads'

// Hooks run in a thread of their own, which loads this module again.
if (isMainThread) register(import.meta.url)

const DECLARATION = 'export function firstFailure('
const guardSwitch = new URL('guard-switch.js', import.meta.url).href

/** Wraps `firstFailure`, which evaluates all tables of guards, in the module that declares it. */
export const load: LoadHook = async (url, context, nextLoad) => {
  const module = await nextLoad(url, context)
  if (module.format !== 'module' || !url.includes('/dist/')) return module
  const source = typeof module.source === 'string' ? module.source : new TextDecoder().decode(module.source)
  if (!source.includes(DECLARATION)) return module
  const lines = [
    source.replace(DECLARATION, 'function interpret('),
    `import { addSwitch } from '${guardSwitch}'`,
    'export const firstFailure = addSwitch(interpret)',
  ]
  return { ...module, source: lines.join('\n') }
}
