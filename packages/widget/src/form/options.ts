type Call = (...values: readonly unknown[]) => unknown
const noop: Call = () => undefined

type Dictionary<Value> = Readonly<Record<string, Value | undefined>>
const noTexts: Dictionary<string> = {}
const noFields: Dictionary<string | boolean> = {}
const noStyles: Dictionary<Dictionary<string>> = {}

/** All options of `wpwlOptions`, with the default of each. A value of another type is ignored. */
const defaults = {
  /** A code of the contract's languages or a BCP 47 tag; else the page's language, else the browser's. */
  locale: '',
  /** `card`, `plain`, `logos`: each payment method folded behind its logo; `none`: no style sheet. */
  style: 'card',
  /** Texts by their keys. */
  labels: noTexts,
  /** false: the shopper chooses the brand of the card. */
  brandDetection: true,
  /** false: the form has no cvv field. */
  requireCvv: true,
  maskCvv: false,
  /**
   * Initial values of the address fields, by the parameters without `billing.`. If any is given, the fields are shown.
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
  /** false, or a promise of it, prevents the payment. */
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

/** The options that are functions. */
type Callback = { [Name in keyof Options]: Options[Name] extends Call ? Name : never }[keyof Options]

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
export function warnOnce(name: string, why: string): void {
  if (warned.has(name)) return
  warned.add(name)
  console.warn(`Tollgate: ${name} ${why}`)
}

/** Warns of unknown options. */
export function warnOfUnknown(): void {
  for (const name of Object.keys(window.wpwlOptions ?? {})) {
    if (!Object.hasOwn(defaults, name))
      warnOnce(`wpwlOptions.${name}`, 'is not an option of this form and has no effect')
  }
}

/** The current value of an option: the page may set options until they are read. */
export const option = <Name extends keyof Options>(name: Name): Options[Name] => {
  const given = window.wpwlOptions?.[name]
  return given !== undefined && given !== null && typeof given === typeof defaults[name] ? given : defaults[name]
}

/** Calls a callback of the page. Its exception is reported to the page's console. */
export async function call(name: Callback, ...values: readonly unknown[]): Promise<unknown> {
  try {
    return await option(name)(...values)
  } catch (error) {
    reportError(error)
    return false
  }
}

const isCallback = (name: string): name is Callback => Object.hasOwn(defaults, name)

/** Calls `onBlurCardNumber(isValid)` or the callback of another field, if it has one. */
export function callOnBlur(field: string, isValid: boolean): void {
  const name = `onBlur${field.replace(/^./, (first) => first.toUpperCase())}`
  if (isCallback(name)) void call(name, isValid)
}

/** Reports a failure of the form to the page's `onError` callback and to the console. */
export function reportFailure(name: string, message: string): void {
  const error = new Error(`Tollgate: ${message}`)
  error.name = name
  reportError(error)
  void call('onError', { name, message })
}
