import { option } from './options.ts'

/** The codes of all card brands, separated by spaces. */
declare const CARD_BRANDS: string

/** Heights of the payment methods as `widget.css` draws them, with their gaps, in pixels. */
const heights = { card: 432, directDebit: 400, other: 148 } as const
/** The height of the padding and border of a payment method. The style `plain` has neither. */
const PADDING_AND_BORDER_PX = 42

/** Reserves space for the forms, so that the page below them does not move when they are drawn. */
export function reserveSpace(forms: Iterable<HTMLFormElement>): void {
  const style = option('style')
  if (style !== 'card' && style !== 'plain') return
  const cards = new Set(CARD_BRANDS.split(' '))
  for (const form of forms) {
    const codes = (form.dataset.brands ?? form.textContent).match(/\S+/g) ?? []
    const otherCodes = codes.filter((code) => !cards.has(code))
    const otherHeights = otherCodes.map((code) =>
      code.startsWith('DIRECTDEBIT') ? heights.directDebit : heights.other,
    )
    const methodHeights = otherCodes.length < codes.length ? [heights.card, ...otherHeights] : otherHeights
    const surplus = style === 'plain' ? PADDING_AND_BORDER_PX : 0
    const heightPx = methodHeights.reduce((sum: number, height) => sum + height - surplus, 0)
    form.style.minHeight = `${heightPx}px`
  }
}

export function releaseSpace(forms: Iterable<HTMLFormElement>): void {
  for (const form of forms) form.style.minHeight = ''
}
