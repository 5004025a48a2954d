// The script of the merchant's page. It is the same for every checkout, so that its digest is known when a checkout is
// created. It contains the digest of the form, and requests the state of the checkout while it loads the form. The form
// is a module, because modules also load in pages that enforce Trusted Types.
import { reportFailure } from '../form/options.ts'
import { findForms, formElements, page, showNotice, tryAgainButton, watchPolicy } from '../form/page.ts'
import { pause } from '../form/pause.ts'
import { releaseSpace, reserveSpace } from '../form/reserve-space.ts'
import { textsOf } from '../form/widget.ts'
import { limits } from '../limits.ts'
import { localeOf, requestCheckout } from '../shared/request-checkout.ts'
import type { start } from '../form/main.ts'

declare const FORM_INTEGRITY: string

const SCRIPT_URL = /^(.*?)\/*(?:\/v[1-9])?\/paymentWidgets\.js\?(?:.*&)?checkoutId=([A-Za-z0-9.-]+)/

// Without `currentScript`, the last script is used: a page that mounts the form again may contain earlier scripts.
const { currentScript } = document
const scripts = currentScript instanceof HTMLScriptElement ? [currentScript] : Array.from(document.scripts).toReversed()
const [, base = '', id = ''] = scripts.map(({ src }) => SCRIPT_URL.exec(src)).find((match) => match !== null) ?? []
const checkoutAddress = { base, id }

window.wpwl?.unload?.()
const lifetime = new AbortController()
/** Aborted when the form has begun or is unloaded, which ends this script. */
const loading = new AbortController()
window.wpwl = { unload: () => lifetime.abort() }
lifetime.signal.addEventListener('abort', () => {
  loading.abort()
  showNotice('')
  releaseSpace(formElements())
  delete window.wpwl
})

// The digest in the URL keeps browsers from reusing an older version from their cache.
const formUrl = `${base}/pages/assets/form.js?${FORM_INTEGRITY.slice(-8)}`
const locale = localeOf()
const initialCheckout = requestCheckout(checkoutAddress)
// Space is reserved as soon as the browser has parsed a form, because browsers render a page before they have received
// all of it.
const reserveFormSpace = (): void => {
  if (id !== '' && !loading.signal.aborted) reserveSpace(formElements())
}
const observer = new MutationObserver(reserveFormSpace)
const documentParsed = new Promise<void>((resolve) => {
  const end = (): void => {
    observer.disconnect()
    // The promise resolves after the page's own listeners of the event, which may still set options.
    setTimeout(resolve)
  }
  if (document.readyState !== 'loading') return resolve()
  observer.observe(document, { childList: true, subtree: true })
  addEventListener('DOMContentLoaded', end, { once: true })
})
reserveFormSpace()
const pausesMs: number[] = [...limits.loadPausesMs]
let loadCount = 0

async function startForm(url: string): Promise<void> {
  const form: { readonly start: typeof start } | undefined = await import(url).catch(onFailure)
  await documentParsed
  if (!form || loading.signal.aborted) return
  loading.abort()
  showNotice('')
  return form.start(checkoutAddress, lifetime, initialCheckout, locale)
}

/** Shows the failure, in the page's language if the gateway has answered, and retries unless retries are used up. */
async function onFailure(): Promise<void> {
  reportFailure('WidgetError', `${formUrl} cannot be loaded, or its digest does not match`)
  const [checkout] = await Promise.all([Promise.race([initialCheckout, pause(limits.textsMs)]), documentParsed])
  if (loading.signal.aborted) return
  if (page.forms.length === 0) findForms()
  if (checkout) {
    page.text = textsOf(checkout.texts)
    page.tag = checkout.tag
    page.direction = checkout.direction
  }
  if (page.isBlocked) return showNotice(page.text('blocked'))
  showNotice(page.text('notLoaded'), tryAgainButton(load))
  const pauseMs = pausesMs.shift()
  if (pauseMs === undefined) return
  await pause(pauseMs)
  load()
}

/** Loads the form. Each retry has a new URL, because browsers cache the failure of a module. */
function load(): void {
  if (loading.signal.aborted) return
  const url = loadCount === 0 ? formUrl : `${formUrl}&${loadCount}`
  loadCount += 1
  const link = document.createElement('link')
  link.rel = 'modulepreload'
  link.href = url
  link.integrity = FORM_INTEGRITY
  link.crossOrigin = 'anonymous'
  const run = (): void => void startForm(url)
  // A module with another digest fails to preload, and never runs.
  link.addEventListener('load', run)
  link.addEventListener('error', () => void onFailure())
  lifetime.signal.addEventListener('abort', () => link.remove())
  document.head.append(link)
  // Firefox before 115 and Safari before 17 cannot preload modules: they import the form without a check of its digest.
  if (!link.relList.supports('modulepreload')) run()
}

if (id === '') reportFailure('WidgetError', 'the address of paymentWidgets.js has no checkoutId')
else {
  watchPolicy(base, loading.signal)
  load()
}
