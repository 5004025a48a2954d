// The merchant's page loads this script: the same bytes for every checkout, so that their digest is known when the
// checkout is created. It asks how the checkout stands while it fetches the form, whose digest it holds: as a module,
// which a page may demand Trusted Types and still load.
import { ask } from '../shared/ask.ts'
import type { start } from '../form/main.ts'

declare const FORM_INTEGRITY: string

const SCRIPT = /^(.*?)(?:\/v[1-9])?\/paymentWidgets\.js\?(?:.*&)?checkoutId=([A-Za-z0-9.-]+)/

const { currentScript } = document
const scripts = currentScript instanceof HTMLScriptElement ? [currentScript] : Array.from(document.scripts)
const [, base = '', id = ''] = scripts.map(({ src }) => SCRIPT.exec(src)).find((found) => found !== null) ?? []
const place = { base, id }

// By its digest, lest a browser remember the one of a version before.
const address = `${base}/pages/assets/form.js?${FORM_INTEGRITY.slice(-8)}`
const said = ask(place)
const parsed = new Promise<void>((resolve) => {
  if (document.readyState === 'loading') addEventListener('DOMContentLoaded', () => resolve())
  else resolve()
})

const complain = (message: string): void => reportError(new Error(`Tollgate: ${message}`))

async function begin(): Promise<void> {
  const form: { readonly start: typeof start } = await import(address)
  await parsed
  return form.start(place, said)
}

if (id === '') complain('the address of paymentWidgets.js has no checkoutId')
else {
  const link = document.createElement('link')
  link.rel = 'modulepreload'
  link.href = address
  link.integrity = FORM_INTEGRITY
  link.crossOrigin = 'anonymous'
  // What is not the module of the digest is not asked for, and so never run.
  link.addEventListener('load', () => void begin())
  link.addEventListener('error', () => complain(`${address} cannot be loaded, or is not what it should be`))
  document.head.append(link)
  // Browsers of before 2023 can do either, not both.
  if (!link.relList.supports('modulepreload')) void begin()
}
