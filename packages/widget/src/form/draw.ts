import type { WidgetBrand } from '@tollgate/contract'
import type { PaymentForm } from './payment-form.ts'
import { element } from './dom.ts'
import { drawMethod, type Method, type MethodParts } from './method.ts'
import { cardParts, directDebitParts, type FrameCallbacks, redirectParts, storedAccountParts } from './methods.ts'
import { option, reportFailure } from './options.ts'
import { page, tryAgainButton } from './page.ts'
import { pay } from './pay.ts'
import { releaseSpace } from './reserve-space.ts'

type Parts = Omit<MethodParts, 'pageForm'>

/**
 * Draws the payment methods before each form of the page: cards, then the other methods in the order in which the page
 * lists their brands. Stored accounts precede them before the first form.
 */
export function drawAll(paymentForm: PaymentForm): void {
  const { checkout } = paymentForm.widget
  releaseSpace(page.forms)
  for (const pageForm of page.forms) {
    const hasStoredAccounts = pageForm === page.forms[0] && checkout.registrations.length > 0
    const storedMethods = hasStoredAccounts
      ? [addMethod(paymentForm, pageForm, (callbacks) => storedAccountParts(paymentForm.widget, callbacks))]
      : []
    const otherMethods = partsOf(paymentForm, pageForm).map((createParts) =>
      addMethod(paymentForm, pageForm, createParts),
    )
    if (hasStoredAccounts && option('registrations').hideInitialPaymentForms) hideMethods(paymentForm, otherMethods)
    page.methods.push(...storedMethods, ...otherMethods)
  }
}

/** Wallets and other synchronous brands without a form of the widget are not drawn. */
const isDrawn = (brand?: WidgetBrand): boolean =>
  brand?.kind === 'card' || brand?.kind === 'directDebit' || brand?.flow === 'async'

type CreateParts = (callbacks: FrameCallbacks) => Parts

function partsOf({ widget }: PaymentForm, pageForm: HTMLFormElement): readonly CreateParts[] {
  const { brands } = widget.checkout
  const requested = new Set(pageForm.dataset.brands?.match(/\S+/g))
  const codes = [...requested].filter((code) => Object.hasOwn(brands, code) && isDrawn(brands[code]))
  const unsupported = [...requested].filter((code) => !codes.includes(code))
  if (unsupported.length > 0)
    reportFailure(
      'WidgetError',
      `the channel does not accept ${unsupported.join(', ')}, or the form does not support it`,
    )
  const cards = codes.filter((code) => brands[code]?.kind === 'card')
  const otherMethods = codes.flatMap((code): readonly CreateParts[] => {
    const brand = brands[code]
    if (brand?.kind === 'directDebit') return [() => directDebitParts(widget, code, brand, pageForm)]
    return brand && brand.kind !== 'card' ? [() => redirectParts(widget, code, brand)] : []
  })
  return cards.length > 0 ? [(callbacks) => cardParts(widget, cards, callbacks), ...otherMethods] : otherMethods
}

/** Draws a method before a form of the page, and reports its frames that do not load. */
function addMethod(paymentForm: PaymentForm, pageForm: HTMLFormElement, createParts: CreateParts): Method {
  const { base, text, signal } = paymentForm.widget
  /** The functions that load the unavailable frames again. */
  const reloads = new Set<() => void>()
  const reloadFrames = (): void => {
    for (const reload of reloads) reload()
  }
  const parts = createParts({
    onEnter: () => method.form.requestSubmit(),
    onUnavailable(reload) {
      if (reloads.size === 0)
        reportFailure('WidgetError', `a frame of ${base} has not loaded yet: it is slow, or has failed`)
      reloads.add(reload)
      const retry = (): void => {
        method.announce('')
        method.showLoading(true)
        reloadFrames()
      }
      method.showLoading(false)
      if (!paymentForm.isInProgress) method.announce(text('notLoaded'), '', tryAgainButton(retry))
    },
    onAvailable(reload) {
      if (!reloads.delete(reload) || reloads.size > 0) return
      method.showLoading(false)
      if (!paymentForm.isInProgress) method.announce('')
    },
  })
  addEventListener('online', reloadFrames, { signal })
  const method: Method = drawMethod(paymentForm.widget, { ...parts, pageForm }, () => void pay(paymentForm, method))
  const drawn = option('style') === 'logos' ? collapsibleMethod(method) : method.root
  pageForm.before(drawn)
  page.drawn.push(drawn)
  return method
}

/** Wraps a method in a collapsible section with its logos as summary. Only one section of a page is open at a time. */
function collapsibleMethod({ root, name, form }: Method): HTMLElement {
  const logos = form.querySelector('.wpwl-brands') ?? name
  return element('details', 'method', { name: 'wpwl' }, element('summary', 'method-summary', {}, logos), root)
}

/** Hides methods behind a button until the shopper chooses to pay without stored details. */
function hideMethods({ widget }: PaymentForm, methods: readonly Method[]): void {
  const roots = methods.map(({ root }) => (root.parentElement?.localName === 'details' ? root.parentElement : root))
  const button = element('button', 'button button-other', { type: 'button' }, widget.text('otherMethod'))
  const show = (isShown: boolean): void => {
    for (const root of roots) root.hidden = !isShown
  }
  roots[0]?.before(button)
  page.drawn.push(button)
  show(false)
  button.addEventListener('click', () => {
    show(true)
    button.remove()
    methods[0]?.fields[0]?.focus()
  })
}
