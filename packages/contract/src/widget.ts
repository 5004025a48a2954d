import type { BrandKind } from './brands.ts'
import type { DeclineReason } from './decline-reasons.ts'
import type { LanguageCode } from './languages.ts'

// Data that the payment form receives from the gateway. They contain no secret of the merchant, because the id of the
// checkout, which the shopper has, is the only credential for them.

/** The state of a checkout for the shopper. */
export type WidgetCheckoutState =
  | 'open'
  /** Paid or registered: the shopper returns to the shop. */
  | 'done'
  /** A payment is in progress. */
  | 'pending'
  /** Expired, unknown, or closed after too many declined attempts. */
  | 'gone'

/** A brand with which the shopper can pay or register in the checkout. */
export interface WidgetBrand {
  readonly kind: BrandKind
  /** `async`: the shopper is sent to a page of the bank or wallet. */
  readonly flow: 'sync' | 'async'
  readonly name: string
}

/** The known data of the mandate of a SEPA direct debit. */
export interface WidgetMandate {
  readonly creditor: string | undefined
  /** Creditor identifier (SEPA attribute AT-02), such as `DE98ZZZ09999999999`. */
  readonly creditorId: string | undefined
  /** `bankAccount.mandate.id`, if the merchant prepared one. */
  readonly reference: string | undefined
}

/** A stored account that the merchant offers for one-click payment (`registrations[n].id`). */
export interface WidgetRegistration {
  readonly id: string
  readonly brand: string
  /** Last four characters of the account number; empty if none are displayed. */
  readonly last4: string
  readonly holder: string | undefined
  /** The expiry of a card: the month from 01 to 12, and the year in four digits. */
  readonly expiryMonth: string | undefined
  readonly expiryYear: string | undefined
}

/** A redirect of the shopper. */
export interface WidgetRedirect {
  readonly url: string
  readonly method: 'GET' | 'POST'
  readonly parameters: readonly { readonly name: string; readonly value: string }[]
  /** A 3-D Secure page of the gateway, which the form may show in a frame. */
  readonly inFrame: boolean
}

/** Pages below this path of the gateway may be shown in the form: those of 3-D Secure. */
export const authenticationPagesPath = '/pages/authentications/'

/**
 * The message that a 3-D Secure page posts to its parent, by `postMessage`, when the authentication has ended, or when
 * the shopper leaves the page.
 */
export const authenticationEnded = { kind: 'over' } as const

/** The answer to `GET /pages/checkouts/{id}?locale=` and to `POST /pages/checkouts/{id}/cancel?locale=`. */
export interface WidgetCheckout {
  readonly state: WidgetCheckoutState
  /** The redirect of a pending checkout, repeated in case the answer to the submit was lost. */
  readonly redirect: WidgetRedirect | undefined
  /** Whether `POST /pages/checkouts/{id}/cancel` can cancel the pending payment, so that the checkout is open again. */
  readonly cancellable: boolean
  /** The reason of the last decline of an open checkout. */
  readonly declined: DeclineReason | undefined
  /** `registration`: account data are stored without a payment. */
  readonly purpose: 'payment' | 'registration'
  /** Amount with two decimals, and currency (ISO 4217); undefined if there is no payment. */
  readonly amount: string | undefined
  readonly currency: string | undefined
  /** `test`: the form shows that no money is transferred. */
  readonly environment: 'test' | 'live'
  readonly brands: Readonly<Record<string, WidgetBrand>>
  readonly mandate: WidgetMandate
  readonly registrations: readonly WidgetRegistration[]
  readonly language: LanguageCode
  /** BCP 47 tag of the language. */
  readonly tag: string
  readonly direction: 'ltr' | 'rtl'
  /** The texts of the widget in this language, by their keys. */
  readonly texts: Readonly<Record<string, string>>
}

/**
 * The result of a submit. A frame of the gateway's origin passes only this part of the gateway's answer to the page of
 * the merchant.
 */
export interface WidgetResult {
  /**
   * `refused`: a value is wrong, or the payment is declined; the shopper may try again. `gone`: the checkout has
   * expired or is unknown. `lost`: the outcome is unknown.
   */
  readonly kind: 'done' | 'pending' | 'refused' | 'gone' | 'lost'
  readonly code: string | undefined
  readonly description: string | undefined
  /** The reason of a decline. */
  readonly reason: DeclineReason | undefined
  /** Names of parameters that are wrong. */
  readonly wrong: readonly string[]
  readonly redirect: WidgetRedirect | undefined
}
