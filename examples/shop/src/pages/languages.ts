/** The languages of the shop: one left-to-right, one with long words, one right-to-left. The first is the default. */
export const shopLanguages = ['en', 'de', 'ar'] as const

export type ShopLanguage = (typeof shopLanguages)[number]

/** Formats an amount for people: `92.00` and `EUR` as `€92.00`. */
export const amountText = (language: ShopLanguage, amount: string, currency: string): string =>
  new Intl.NumberFormat(language, { style: 'currency', currency }).format(Number(amount))
