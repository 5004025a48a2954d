// This module is loaded by `node --import`. It inserts the switch for guards into the module of the built product that
// declares `firstFailure`, when that module is loaded.
import { type LoadHook, register } from 'node:module'
import { isMainThread } from 'node:worker_threads'

// Hooks run in a thread of their own, which loads this module again and must not register it a second time.
if (isMainThread) register(import.meta.url)

const DECLARATION = 'export function firstFailure('
const guardSwitch = new URL('guard-switch.js', import.meta.url).href

/** Wraps `firstFailure`, which evaluates all tables of guards. */
export const load: LoadHook = async (url, context, nextLoad) => {
  const module = await nextLoad(url, context)
  if (module.format !== 'module' || !url.includes('/dist/')) return module
  const source = typeof module.source === 'string' ? module.source : new TextDecoder().decode(module.source)
  if (!source.includes(DECLARATION)) return module
  const lines = [
    source.replace(DECLARATION, 'function originalFirstFailure('),
    `import { addSwitch } from '${guardSwitch}'`,
    'export const firstFailure = addSwitch(originalFirstFailure)',
  ]
  return { ...module, source: lines.join('\n') }
}
