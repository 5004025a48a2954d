type Call = (...values: readonly unknown[]) => unknown
const nothing: Call = () => undefined

type Named<Value> = Readonly<Record<string, Value | undefined>>
const named: Named<string> = {}
const fields: Named<string | boolean> = {}
const styles: Named<Named<string>> = {}

/** All options of `wpwlOptions`, with the default of each. A value of another type is ignored. */
const defaults = {
  /** A code of the contract's languages or a BCP 47 tag; else the page's language, else the browser's. */
  locale: '',
  /** `card`, `plain`, `logos`: each way to pay folded behind its logo; `none`: no style sheet. */
  style: 'card',
  /** Texts by their keys. */
  labels: named,
  /** false: the shopper chooses the brand of the card. */
  brandDetection: true,
  /** false: the form has no cvv field. */
  requireCvv: true,
  maskCvv: false,
  /** Initial values of the address fields, by the parameters without `billing.`; given, the fields are shown. */
  billingAddress: fields,
  /** Which of its fields must be filled. */
  mandatoryBillingFields: fields,
  /** Styles of `card-number`, `cvv` and, with `-placeholder` behind, of their placeholders. */
  iframeStyles: styles,
  /** Windows that a bank's page and the shop's open in. */
  paymentTarget: '_self',
  shopperResultTarget: '_self',
  registrations: { requireCvv: false, hideInitialPaymentForms: false },
  onReady: nothing,
  onDetectBrand: nothing,
  /** false, or a promise of it, prevents the payment. */
  onBeforeSubmitCard: nothing,
  onAfterSubmit: nothing,
  onError: nothing,
  onBlurCardNumber: nothing,
  onBlurExpiry: nothing,
  onBlurCvv: nothing,
  onBlurCardHolder: nothing,
  onBlurIban: nothing,
  onBlurAccountHolder: nothing,
}

type Options = typeof defaults

/** The options that are functions. */
type Callback = { [Name in keyof Options]: Options[Name] extends Call ? Name : never }[keyof Options]

/** Functions that the page calls. */
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

/** Warns the page's developer, once for each name, of input without effect. Never with a value. */
export function warnOnce(name: string, why: string): void {
  if (warned.has(name)) return
  warned.add(name)
  console.warn(`Tollgate: ${name} ${why}`)
}

/** Warns of unknown options. */
export function warnOfUnknown(): void {
  for (const name of Object.keys(window.wpwlOptions ?? {})) {
    if (!Object.hasOwn(defaults, name)) warnOnce(`wpwlOptions.${name}`, 'is no option of this form and has no effect')
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
export function blurred(field: string, isValid: boolean): void {
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
