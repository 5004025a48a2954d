type CallbackFunction = (...values: readonly unknown[]) => unknown
const noop: CallbackFunction = () => undefined

type Dictionary<Value> = Readonly<Record<string, Value | undefined>>
const noTexts: Dictionary<string> = {}
const noFields: Dictionary<string | boolean> = {}
const noStyles: Dictionary<Dictionary<string>> = {}

/** All options of `wpwlOptions`, with the default of each. A value of another type is ignored. */
const defaults = {
  /** A code of the contract's languages or a BCP 47 tag. By default the language of the page, else of the browser. */
  locale: '',
  /** `card`, `plain`, `logos` (collapsed methods, with logos as summaries) or `none` (no style sheet is loaded). */
  style: 'card',
  /** Texts that replace texts of the form, by their keys. */
  labels: noTexts,
  /** false: the shopper chooses the brand of the card. */
  brandDetection: true,
  /** false: the form has no CVV field. */
  requireCvv: true,
  maskCvv: false,
  /**
   * Initial values of the address fields, by the parameters without `billing.`. The fields are shown if the page sets
   * one of them here, or requires one in `mandatoryBillingFields`.
   */
  billingAddress: noFields,
  /** The address fields that are required. */
  mandatoryBillingFields: noFields,
  /** Styles of `card-number` and `cvv`, and of their placeholders with the suffix `-placeholder`. */
  iframeStyles: noStyles,
  /** Names of the windows for the bank's page and for the shop's page. */
  paymentTarget: '_self',
  shopperResultTarget: '_self',
  registrations: { requireCvv: false, hideInitialPaymentForms: false },
  onReady: noop,
  onDetectBrand: noop,
  /** The result false, a promise of false or an exception prevents the payment. */
  onBeforeSubmitCard: noop,
  onAfterSubmit: noop,
  onError: noop,
  onBlurCardNumber: noop,
  onBlurExpiry: noop,
  onBlurCvv: noop,
  onBlurCardHolder: noop,
  onBlurIban: noop,
  onBlurAccountHolder: noop,
}

type Options = typeof defaults

/** The names of the options that are functions. */
type CallbackName = { [Name in keyof Options]: Options[Name] extends CallbackFunction ? Name : never }[keyof Options]

/** The functions of `window.wpwl`, which the page may call. */
interface Handle {
  readonly unload: () => void
  /** Missing until the forms are drawn. */
  readonly executePayment?: (name: string) => void
}

declare global {
  interface Window {
    wpwlOptions?: Partial<Options>
    wpwl?: Handle
  }
}

const warned = new Set<string>()

/** Warns the page's developer, once for each name, of input without effect. The warning never contains a value. */
export function warnOnce(name: string, reason: string): void {
  if (warned.has(name)) return
  warned.add(name)
  console.warn(`Tollgate: ${name} ${reason}`)
}

/** Warns of unknown options. */
export function warnOfUnknownOptions(): void {
  for (const name of Object.keys(window.wpwlOptions ?? {})) {
    if (!Object.hasOwn(defaults, name))
      warnOnce(`wpwlOptions.${name}`, 'is not an option of this form and has no effect')
  }
}

/** The current value of an option: the page may set options until they are read. */
export const option = <Name extends keyof Options>(name: Name): Options[Name] => {
  const value = window.wpwlOptions?.[name]
  return value !== undefined && value !== null && typeof value === typeof defaults[name] ? value : defaults[name]
}

/** Calls a callback of the page. An exception is reported to the page's console, and the result is false. */
export async function call(name: CallbackName, ...values: readonly unknown[]): Promise<unknown> {
  try {
    return await option(name)(...values)
  } catch (error) {
    reportError(error)
    return false
  }
}

const isCallbackName = (name: string): name is CallbackName => Object.hasOwn(defaults, name)

/** Calls `onBlurCardNumber(isValid)` or the callback of another field, if it has one. */
export function callOnBlur(field: string, isValid: boolean): void {
  const name = `onBlur${field.replace(/^./, (letter) => letter.toUpperCase())}`
  if (isCallbackName(name)) void call(name, isValid)
}

/** Reports a failure of the form to the page's `onError` callback and to the console. */
export function reportFailure(name: string, message: string): void {
  const error = new Error(`Tollgate: ${message}`)
  error.name = name
  reportError(error)
  void call('onError', { name, message })
}
