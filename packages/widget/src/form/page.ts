import { element } from './dom.ts'
import type { Method } from './method.ts'
import { option, reportFailure } from './options.ts'
import { releaseSpace } from './reserve-space.ts'
import { textsOf, type Widget } from './widget.ts'

/** The widget's part of the merchant's page: its forms and the elements drawn before them. */
interface Page {
  readonly forms: HTMLFormElement[]
  /** The drawn payment methods. */
  readonly methods: Method[]
  /** The drawn elements of the methods. */
  readonly drawn: HTMLElement[]
  text: Widget['text']
  /** The BCP 47 tag of the texts. */
  tag: string
  direction: string
  /** Whether a policy of the page, such as its Content-Security-Policy, prevents the form from working. */
  isBlocked: boolean
}

const initialPage = (): Page => ({
  forms: [],
  methods: [],
  drawn: [],
  // Until the gateway has sent its texts, failures are shown in English.
  text: textsOf({
    blocked: 'The payment form cannot be shown because this page’s security policy blocks it.',
    offline: 'You are offline. Check your connection.',
    notLoaded: 'The payment form has not loaded completely. Check your connection or try again.',
    tryAgainButton: 'Try again',
  }),
  tag: 'en',
  direction: 'ltr',
  isBlocked: false,
})

export const page = initialPage()

export const formElements = (): NodeListOf<HTMLFormElement> => document.querySelectorAll('form.paymentWidgets')

/** Finds the page's forms. Without `data-brands`, the text of a form lists its brands. */
export function findForms(): void {
  page.forms.push(...formElements())
  for (const { dataset, childNodes } of page.forms) {
    if (dataset.brands !== undefined) continue
    const texts = Array.from(childNodes).filter((node) => node instanceof Text)
    dataset.brands = texts.map(({ data }) => data).join(' ')
    for (const text of texts) text.remove()
  }
}

/** Removes all drawn elements, and resets the state. */
export function clearPage(): void {
  showNotice('')
  for (const drawn of page.drawn) drawn.remove()
  hiddenElements = []
  releaseSpace(page.forms)
  Object.assign(page, initialPage())
}

const notices: HTMLElement[] = []
let hiddenElements: readonly HTMLElement[] = []

/**
 * Shows the drawn methods, or hides them for a message in their place. A method that was already hidden stays hidden.
 *
 * @returns whether one of the methods had the focus
 */
export function showForms(isShown: boolean): boolean {
  const hadFocus = page.drawn.some((drawn) => drawn.contains(document.activeElement))
  for (const drawn of hiddenElements) drawn.hidden = false
  hiddenElements = isShown ? [] : page.drawn.filter((drawn) => !drawn.hidden)
  for (const drawn of hiddenElements) drawn.hidden = true
  return hadFocus
}

/** Shows a message before each form of the page, in place of the previous message; an empty text removes it. */
export function showNotice(text: string, ...more: readonly Node[]): void {
  for (const container of notices.splice(0)) container.remove()
  if (text === '') return
  releaseSpace(page.forms)
  for (const form of page.forms) {
    const message = element('div', 'message', { role: 'alert' }, text, ...more)
    const container = element(
      'div',
      `container style-${option('style')}`,
      { lang: page.tag, dir: page.direction },
      message,
    )
    form.before(container)
    notices.push(container)
  }
}

/**
 * Closes the forms, because the page's policy blocks them.
 *
 * @param reason the violation and its remedy, for the page's developer
 */
function block(reason: string): void {
  reportFailure('WidgetError', reason)
  page.isBlocked = true
  const text = page.text('blocked')
  for (const { setClosed, announce } of page.methods) {
    setClosed(true)
    announce(text)
  }
  if (page.methods.length === 0) showNotice(text)
}

/**
 * Reports violations of the page's policy. Blocked styles or logos do not break the form: only the page's developer
 * needs to know of them. Report-only violations block nothing.
 */
export function watchPolicy(base: string, signal: AbortSignal): void {
  const report = ({ blockedURI, disposition, effectiveDirective }: SecurityPolicyViolationEvent): void => {
    if (disposition === 'report' || !blockedURI.startsWith(new URL(base).origin)) return
    const reason = `the page's Content-Security-Policy blocks ${blockedURI}: allow it in ${effectiveDirective}`
    if (/^(?:script|frame|child|connect)-src/.test(effectiveDirective)) block(reason)
    else reportFailure('WidgetError', reason)
  }
  document.addEventListener('securitypolicyviolation', report, { signal })
}

/** Creates the button to try again after a failure. */
export function tryAgainButton(press: () => void): HTMLElement {
  const button = element('button', 'button button-other', { type: 'button' }, page.text('tryAgainButton'))
  button.addEventListener('click', press)
  return button
}
