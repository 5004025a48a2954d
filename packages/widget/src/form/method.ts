import { allowedParameters, type Pair } from '../shared/parameters.ts'
import { browserParameters } from './browser.ts'
import { element } from './dom.ts'
import type { Field, FrameField } from './field.ts'
import { resultUrl } from './navigate.ts'
import { option, warnOnce } from './options.ts'
import type { Widget } from './widget.ts'

/** The parts from which the form of a payment method is drawn. */
export interface MethodParts {
  /** Classes without `container-`: `card`, `directDebit-DIRECTDEBIT_SEPA`. */
  readonly kinds: readonly string[]
  /** The accessible name of the form. */
  readonly name: string
  readonly children: readonly Node[]
  readonly fields: readonly Field[]
  /** The frame that posts the parameters, if a part of the account is in a frame. */
  readonly frame?: FrameField
  /** The parameters that are not values of named inputs. */
  readonly parameters: () => readonly Pair[]
  readonly buttonText: string
  /** The form in the page: its action is the shop's result URL, its inputs are additional parameters. */
  readonly pageForm: HTMLFormElement
}

/** A drawn payment method. */
export interface Method extends MethodParts {
  readonly root: HTMLElement
  readonly form: HTMLFormElement
  /** All parameters of a payment with the method, except for the values in frames. */
  readonly paymentParameters: () => readonly Pair[]
  /** Shows an alert, which screen readers announce at once, and a status, which they announce when they are idle. */
  readonly announce: (alert: string, status?: string, ...more: readonly Node[]) => void
  /**
   * @param isClosed whether the button is marked as disabled
   * @param isInProgress whether a payment with this method is in progress
   */
  readonly setClosed: (isClosed: boolean, isInProgress?: boolean) => void
  /**
   * Shows on the button whether the method is loading. Only screen readers get a text, because a visible line would
   * shift the page.
   */
  readonly showLoading: (isLoading: boolean) => void
}

const textPairs = (form: HTMLFormElement): readonly Pair[] =>
  Array.from(new FormData(form)).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : []))

/** @param begin starts a payment with the method */
export function drawMethod(widget: Widget, parts: MethodParts, begin: (method: Method) => void): Method {
  const { checkout, text } = widget
  const { kinds, name, children, pageForm, parameters } = parts
  const alert = element('div', 'message', { role: 'alert' })
  const status = element('div', 'status', { role: 'status' })
  const button = element('button', 'button button-pay', { type: 'submit' }, parts.buttonText)
  // The notice is shown once in the page, for any number of payment methods.
  const isTest = checkout.environment === 'test' && !document.querySelector('.wpwl-test-mode')
  const testNotice = isTest ? [element('div', 'test-mode', {}, text('testMode'))] : []
  const form = element(
    'form',
    ['form', ...kinds.map((kind) => `form-${kind}`)].join(' '),
    { novalidate: '', 'aria-label': name },
    ...children,
    alert,
    element('div', 'group group-submit', {}, button),
    status,
    ...testNotice,
  )
  const root = element(
    'div',
    ['container', `style-${option('style')}`, ...kinds.map((kind) => `container-${kind}`)].join(' '),
    { lang: checkout.tag, dir: checkout.direction },
    form,
  )
  const method: Method = {
    ...parts,
    root,
    form,
    paymentParameters() {
      const pairs = [
        ...textPairs(form),
        ...textPairs(pageForm),
        ...parameters(),
        ...browserParameters(form.clientWidth),
        ['shopperResultUrl', resultUrl(pageForm)] as const,
      ]
      const sent = allowedParameters(pairs)
      const sentNames = new Set(sent.map(([parameter]) => parameter))
      const dropped = pairs.filter(([parameter, value]) => value !== '' && !sentNames.has(parameter))
      for (const [parameter] of dropped)
        warnOnce(
          `the field ${parameter}`,
          'is not sent: pages may not set it, it is too long, or the form has too many fields',
        )
      return sent
    },
    announce(alertText, statusText = '', ...more) {
      alert.replaceChildren(...(alertText === '' ? [] : [alertText, ...more]))
      status.textContent = statusText
    },
    setClosed(isClosed, isInProgress = false) {
      // The attribute `disabled` would remove the focus from the button.
      button.setAttribute('aria-disabled', String(isClosed))
      form.classList.toggle('wpwl-busy', isInProgress)
    },
    showLoading(isLoading) {
      form.classList.toggle('wpwl-loading', isLoading)
      status.textContent = isLoading ? text('loading') : ''
    },
  }
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    begin(method)
  })
  return method
}
