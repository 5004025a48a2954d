import type { BrandKind } from './brands.ts'
import type { DeclineReason } from './decline-reasons.ts'
import type { LanguageCode } from './languages.ts'

// What the widget and the service tell each other. Nothing here is a secret of the merchant's: whoever has the checkout
// id may read it.

/** Where a checkout stands, as far as a shopper may know. */
export type CheckoutState =
  | 'open'
  /** Paid or registered: there is nothing left to do but to return to the shop. */
  | 'done'
  /** A payment is under way. */
  | 'pending'
  /** Expired, or there never was one. */
  | 'gone'

/** A brand that the channel takes. */
export interface WidgetBrand {
  readonly kind: BrandKind
  /** `async`: the shopper is sent to a page of the bank or wallet. */
  readonly flow: 'sync' | 'async'
  readonly name: string
}

/** Known particulars of the mandate of a SEPA direct debit. */
export interface WidgetMandate {
  readonly creditor: string | undefined
  /** AT-02: `DE98ZZZ09999999999` */
  readonly creditorId: string | undefined
  /** `bankAccount.mandate.id`, where the merchant prepared one. */
  readonly reference: string | undefined
}

/** Stored details that the merchant offers for one click (`registrations[n].id`). */
export interface WidgetRegistration {
  readonly id: string
  readonly brand: string
  /** Last four digits or characters of the account. */
  readonly last4: string
  readonly holder: string | undefined
  /** 01 to 12, and four digits; of cards. */
  readonly expiryMonth: string | undefined
  readonly expiryYear: string | undefined
}

/** Where the shopper goes next. */
export interface WidgetRedirect {
  readonly url: string
  readonly method: 'GET' | 'POST'
  readonly parameters: readonly { readonly name: string; readonly value: string }[]
  /** A 3-D Secure page of ours, which may be shown in the form itself. */
  readonly inFrame: boolean
}

/** Pages below it, on our origin, may be shown in the form itself: those of 3-D Secure. */
export const authenticationPages = '/pages/authentications/'

/** What such a page tells the page that it is shown in when it has ended, by `postMessage`. */
export const authenticationIsOver = { kind: 'over' } as const

/** `GET /pages/checkouts/{id}?locale=`: all that the loader draws from. */
export interface WidgetCheckout {
  readonly state: CheckoutState
  /** Of a checkout that is pending: where the shopper goes on, should the answer that said so have been lost. */
  readonly redirect: WidgetRedirect | undefined
  /** Of a pending checkout: `POST /pages/checkouts/{id}/cancel` ends its payment, and the checkout is open again. */
  readonly cancellable: boolean
  /** Of an open checkout: why the last payment was declined. */
  readonly declined: DeclineReason | undefined
  /** `registration`: details are stored, and nothing is paid. */
  readonly purpose: 'payment' | 'registration'
  /** With two decimals, and ISO 4217; absent where nothing is paid. */
  readonly amount: string | undefined
  readonly currency: string | undefined
  /** `test`: the form says so. */
  readonly environment: 'test' | 'live'
  readonly brands: Readonly<Record<string, WidgetBrand>>
  readonly mandate: WidgetMandate
  readonly registrations: readonly WidgetRegistration[]
  readonly language: LanguageCode
  /** BCP 47. */
  readonly tag: string
  readonly direction: 'ltr' | 'rtl'
  /** By their keys, in that language. */
  readonly texts: Readonly<Record<string, string>>
}

/** What became of a submit: the loader is told no more of the answer than this. */
export interface WidgetResult {
  /** `refused`: wrong values or a decline, the shopper may try again. `lost`: no answer came, nobody knows. */
  readonly kind: 'done' | 'pending' | 'refused' | 'gone' | 'lost'
  readonly code: string | undefined
  readonly description: string | undefined
  /** Of a decline. */
  readonly reason: DeclineReason | undefined
  /** Names of parameters that are wrong. */
  readonly wrong: readonly string[]
  readonly redirect: WidgetRedirect | undefined
}
