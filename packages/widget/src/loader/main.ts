// The script of the merchant's page: the same bytes for every checkout, so that their digest is known when the checkout
// is created. It requests the state of the checkout while it loads the form as a module, whose digest it contains;
// modules also load in pages that enforce Trusted Types.
import { reportFailure } from '../form/options.ts'
import { findForms, formsOf, notice, page, tryAgainButton, watchPolicy } from '../form/page.ts'
import { pause } from '../form/pause.ts'
import { release, reserve } from '../form/reserve.ts'
import { textsOf } from '../form/widget.ts'
import { limits } from '../limits.ts'
import { localeOf, requestCheckout } from '../shared/request-checkout.ts'
import type { start } from '../form/main.ts'

declare const FORM_INTEGRITY: string

const SCRIPT = /^(.*?)\/*(?:\/v[1-9])?\/paymentWidgets\.js\?(?:.*&)?checkoutId=([A-Za-z0-9.-]+)/

// Without `currentScript`, the last script is used: a page that mounts the form again may contain earlier scripts.
const { currentScript } = document
const scripts = currentScript instanceof HTMLScriptElement ? [currentScript] : Array.from(document.scripts).toReversed()
const [, base = '', id = ''] = scripts.map(({ src }) => SCRIPT.exec(src)).find((found) => found !== null) ?? []
const place = { base, id }

window.wpwl?.unload?.()
const life = new AbortController()
/** Aborted when the form has begun or is unloaded, which ends this script. */
const loading = new AbortController()
window.wpwl = { unload: () => life.abort() }
life.signal.addEventListener('abort', () => {
  loading.abort()
  notice('')
  release(formsOf())
  delete window.wpwl
})

// The digest in the URL keeps browsers from reusing an older version from their cache.
const address = `${base}/pages/assets/form.js?${FORM_INTEGRITY.slice(-8)}`
const locale = localeOf()
const checkoutAnswer = requestCheckout(place)
// Space is reserved as soon as the browser has parsed a form, because it may render the page before it has received all
// of it.
const reserveSpace = (): void => {
  if (id !== '' && !loading.signal.aborted) reserve(formsOf())
}
const watcher = new MutationObserver(reserveSpace)
const parsed = new Promise<void>((resolve) => {
  const end = (): void => {
    watcher.disconnect()
    // Resolves after the page's own listeners, which may still set options.
    setTimeout(resolve)
  }
  if (document.readyState !== 'loading') return resolve()
  watcher.observe(document, { childList: true, subtree: true })
  addEventListener('DOMContentLoaded', end, { once: true })
})
reserveSpace()
const pausesMs: number[] = [...limits.loadPausesMs]
let loads = 0

async function begin(from: string): Promise<void> {
  const form: { readonly start: typeof start } = await import(from)
  await parsed
  if (loading.signal.aborted) return
  loading.abort()
  notice('')
  return form.start(place, life, checkoutAnswer, locale)
}

/** Shows the failure, in the page's language if the gateway has answered, and loads the form again. */
async function failed(): Promise<void> {
  reportFailure('WidgetError', `${address} cannot be loaded, or its digest does not match`)
  const [checkout] = await Promise.all([Promise.race([checkoutAnswer, pause(limits.textsMs)]), parsed])
  if (loading.signal.aborted) return
  if (page.forms.length === 0) findForms()
  if (checkout) {
    page.text = textsOf(checkout.texts)
    page.tag = checkout.tag
    page.direction = checkout.direction
  }
  if (page.blocked) return notice(page.text('blocked'))
  notice(page.text('notLoaded'), tryAgainButton(load))
  const pauseMs = pausesMs.shift()
  if (pauseMs === undefined) return
  await pause(pauseMs)
  load()
}

/** Loads the form. Each retry has a new URL, because browsers cache the failure of a module. */
function load(): void {
  if (loading.signal.aborted) return
  const from = loads === 0 ? address : `${address}&${loads}`
  loads += 1
  const link = document.createElement('link')
  link.rel = 'modulepreload'
  link.href = from
  link.integrity = FORM_INTEGRITY
  link.crossOrigin = 'anonymous'
  const run = (): void => void begin(from).catch(failed)
  // A module with another digest fails to preload, and is never run.
  link.addEventListener('load', run)
  link.addEventListener('error', () => void failed())
  life.signal.addEventListener('abort', () => link.remove())
  document.head.append(link)
  // Browsers from before 2023 cannot preload modules: they import the form without a check of its digest.
  if (!link.relList.supports('modulepreload')) run()
}

if (id === '') reportFailure('WidgetError', 'the address of paymentWidgets.js has no checkoutId')
else {
  watchPolicy(base, loading.signal)
  load()
}
