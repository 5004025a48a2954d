import { option } from './options.ts'

/** The codes of all card brands, with blanks between them. */
declare const CARD_BRANDS: string

/** Heights of the payment methods as `widget.css` draws them, with their gaps, in pixels. */
const heights = { card: 432, directDebit: 400, other: 148 } as const
/** The height of padding and border, which the style `plain` does not have. */
const FRAME_PX = 42

/** Reserves room for the forms, so that the page below them does not move when they are drawn. */
export function reserve(forms: Iterable<HTMLFormElement>): void {
  const style = option('style')
  if (style !== 'card' && style !== 'plain') return
  const cards = new Set(CARD_BRANDS.split(' '))
  for (const form of forms) {
    const codes = (form.dataset.brands ?? form.textContent).match(/\S+/g) ?? []
    const others = codes.filter((code) => !cards.has(code))
    const drawn = others.map((code) => (code.startsWith('DIRECTDEBIT') ? heights.directDebit : heights.other))
    const all = others.length < codes.length ? [heights.card, ...drawn] : drawn
    const px = all.reduce((sum: number, height) => sum + height - (style === 'plain' ? FRAME_PX : 0), 0)
    form.style.minHeight = `${px}px`
  }
}

export function release(forms: Iterable<HTMLFormElement>): void {
  for (const form of forms) form.style.minHeight = ''
}
