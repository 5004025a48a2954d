import { element } from './dom.ts'
import type { Method } from './method.ts'
import { complain, option } from './options.ts'
import { release } from './reserve.ts'
import { textsOf, type Widget } from './widget.ts'

/** What of the merchant's page is ours: its forms, and what is drawn before them. */
interface Page {
  readonly forms: HTMLFormElement[]
  /** Ways to pay, as they are drawn. */
  readonly methods: Method[]
  /** The drawn elements of the methods. */
  readonly drawn: HTMLElement[]
  text: Widget['text']
  /** Of the texts. */
  tag: string
  direction: string
  /** The policy of the page, or something like it, keeps the form from working. */
  blocked: boolean
}

const initial = (): Page => ({
  forms: [],
  methods: [],
  drawn: [],
  // English, before the service has sent its texts.
  text: textsOf({
    blocked: 'The payment form cannot be shown because this page’s security policy blocks it.',
    offline: 'You are offline. Check your connection.',
    notLoaded: 'The payment form has not loaded completely. Check your connection or try again.',
    tryAgainButton: 'Try again',
  }),
  tag: 'en',
  direction: 'ltr',
  blocked: false,
})

export const page = initial()

export const formsOf = (): NodeListOf<HTMLFormElement> => document.querySelectorAll('form.paymentWidgets')

/** Finds the page's forms. Where `data-brands` is missing, the text of the form names the brands. */
export function findForms(): void {
  page.forms.push(...formsOf())
  for (const { dataset, childNodes } of page.forms) {
    if (dataset.brands !== undefined) continue
    const texts = Array.from(childNodes).filter((node) => node instanceof Text)
    dataset.brands = texts.map(({ data }) => data).join(' ')
    for (const text of texts) text.remove()
  }
}

/** Removes all drawn elements. */
export function clearPage(): void {
  notice('')
  for (const one of page.drawn) one.remove()
  hidden = []
  release(page.forms)
  Object.assign(page, initial())
}

const notices: HTMLElement[] = []
let hidden: readonly HTMLElement[] = []

/**
 * Shows the drawn forms, or hides them behind a message. A form that was hidden before stays hidden.
 *
 * @returns whether the focus was in it
 */
export function showForms(shown: boolean): boolean {
  const focused = page.drawn.some((one) => one.contains(document.activeElement))
  for (const one of hidden) one.hidden = false
  hidden = shown ? [] : page.drawn.filter((one) => !one.hidden)
  for (const one of hidden) one.hidden = true
  return focused
}

/** Says something in the place of the forms, or nothing any more. */
export function notice(said: string, ...more: readonly Node[]): void {
  for (const place of notices.splice(0)) place.remove()
  if (said === '') return
  release(page.forms)
  for (const form of page.forms) {
    const message = element('div', 'message', { role: 'alert' }, said, ...more)
    const place = element('div', `container style-${option('style')}`, { lang: page.tag, dir: page.direction }, message)
    form.before(place)
    notices.push(place)
  }
}

/** @param reason what the page's developer should do about it */
function block(reason: string): void {
  complain('WidgetError', reason)
  page.blocked = true
  const said = page.text('blocked')
  for (const { close, say } of page.methods) {
    close(true)
    say(said)
  }
  if (page.methods.length === 0) notice(said)
}

/** Without styles or logos the form still works: that is for the page's developer alone. A report blocks nothing. */
export function watchPolicy(base: string, signal: AbortSignal): void {
  const hear = ({ blockedURI, disposition, effectiveDirective }: SecurityPolicyViolationEvent): void => {
    if (disposition === 'report' || !blockedURI.startsWith(new URL(base).origin)) return
    const reason = `the page's Content-Security-Policy blocks ${blockedURI}: allow it in ${effectiveDirective}`
    if (/^(?:script|frame|child|connect)-src/.test(effectiveDirective)) block(reason)
    else complain('WidgetError', reason)
  }
  document.addEventListener('securitypolicyviolation', hear, { signal })
}

/** The button to try again after a failure. */
export function tryAgainButton(press: () => void): HTMLElement {
  const button = element('button', 'button button-other', { type: 'button' }, page.text('tryAgainButton'))
  button.addEventListener('click', press)
  return button
}
