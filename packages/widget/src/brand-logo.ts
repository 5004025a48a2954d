import { escapeHtml } from '@tollgate/contract'

/** Colours and letters of a drawn logo. No logo copies the artwork of a brand. */
interface Logo {
  readonly text?: string
  readonly background: string
  readonly foreground: string
  readonly isItalic?: true
  /** Discs instead of letters: the colour and centre of each. */
  readonly discs?: readonly (readonly [colour: string, x: number])[]
}

const plainLogo: Logo = { background: '#fff', foreground: '#1f2937' }

const logos: Readonly<Record<string, Logo>> = {
  VISA: { text: 'VISA', background: '#fff', foreground: '#1a1f71', isItalic: true },
  VISADEBIT: { text: 'VISA', background: '#1a1f71', foreground: '#fff', isItalic: true },
  VISAELECTRON: { text: 'VISA', background: '#fff', foreground: '#0a6ab5', isItalic: true },
  VPAY: { text: 'V PAY', background: '#fff', foreground: '#1a1f71', isItalic: true },
  MASTER: {
    background: '#fff',
    foreground: '#000',
    discs: [
      ['#eb001b', 19],
      ['#f79e1b', 29],
    ],
  },
  MASTERDEBIT: {
    background: '#1f2937',
    foreground: '#fff',
    discs: [
      ['#eb001b', 19],
      ['#f79e1b', 29],
    ],
  },
  MAESTRO: {
    background: '#fff',
    foreground: '#000',
    discs: [
      ['#0099df', 19],
      ['#ed0006', 29],
    ],
  },
  AMEX: { text: 'AMEX', background: '#016fd0', foreground: '#fff' },
  AXP: { text: 'AMEX', background: '#016fd0', foreground: '#fff' },
  DINERS: { text: 'Diners', background: '#fff', foreground: '#004a97' },
  DISCOVER: { text: 'DISCOVER', background: '#fff', foreground: '#c2410c' },
  JCB: { text: 'JCB', background: '#0b4ea2', foreground: '#fff' },
  UNIONPAY: { text: 'UnionPay', background: '#00447c', foreground: '#fff' },
  UNIONPAY_SMS: { text: 'UnionPay', background: '#00447c', foreground: '#fff' },
  CARTEBANCAIRE: { text: 'CB', background: '#0a5a8c', foreground: '#fff' },
  CARTEBLEUE: { text: 'CB', background: '#fff', foreground: '#0a5a8c' },
  BCMC: { text: 'Bancontact', background: '#fff', foreground: '#005498' },
  DANKORT: { text: 'Dankort', background: '#fff', foreground: '#c8102e' },
  MADA: { text: 'mada', background: '#fff', foreground: '#2e7d32' },
  ELO: { text: 'elo', background: '#111', foreground: '#fff' },
  HIPERCARD: { text: 'Hipercard', background: '#b3131b', foreground: '#fff' },
  RUPAY: { text: 'RuPay', background: '#fff', foreground: '#1b3281', isItalic: true },
  TROY: { text: 'troy', background: '#fff', foreground: '#00708d' },
  MIR: { text: 'МИР', background: '#fff', foreground: '#0f754e' },
  DIRECTDEBIT_SEPA: { text: 'SEPA', background: '#10298e', foreground: '#ffdd00' },
  SEPA: { text: 'SEPA', background: '#10298e', foreground: '#ffdd00' },
  PAYPAL: { text: 'PayPal', background: '#fff', foreground: '#003087', isItalic: true },
  IDEAL: { text: 'iDEAL', background: '#fff', foreground: '#b30064' },
  GIROPAY: { text: 'giropay', background: '#003a7d', foreground: '#fff' },
  SOFORTUEBERWEISUNG: { text: 'Sofort', background: '#393a41', foreground: '#fff' },
  EPS: { text: 'eps', background: '#71233a', foreground: '#fff' },
  TRUSTLY: { text: 'Trustly', background: '#0ee06e', foreground: '#000' },
  PRZELEWY: { text: 'Przelewy24', background: '#fff', foreground: '#b5121b' },
  PAYSAFECARD: { text: 'paysafecard', background: '#fff', foreground: '#00689e' },
  ALIPAY: { text: 'Alipay', background: '#1266d4', foreground: '#fff' },
  WECHAT_PAY: { text: 'WeChat Pay', background: '#fff', foreground: '#0b7a34' },
  KLARNA_PAYMENTS_PAYNOW: { text: 'Klarna', background: '#ffb3c7', foreground: '#000' },
  KLARNA_PAYMENTS_PAYLATER: { text: 'Klarna', background: '#ffb3c7', foreground: '#000' },
  KLARNA_PAYMENTS_SLICEIT: { text: 'Klarna', background: '#ffb3c7', foreground: '#000' },
  KLARNA_PAYMENTS_BILLPAY: { text: 'Klarna', background: '#ffb3c7', foreground: '#000' },
  MBWAY: { text: 'MB WAY', background: '#fff', foreground: '#c8102e' },
}

const WIDTH = 48
const HEIGHT = 32

/** The largest font size, up to 15, at which a text fits into a logo, by the average width of letters. */
const fontSizeOf = (text: string): number => Math.min(15, Math.floor((WIDTH - 6) / (text.length * 0.68)))

/**
 * Draws the logo of a brand with the aspect ratio 3:2: a brand of `logos` in its colours, any other brand as its name.
 *
 * @param code the `paymentBrand`
 * @param name the name in the table of brands
 * @returns an SVG document
 */
export function brandLogo(code: string, name: string): string {
  const {
    text = name.split(/[,(]/)[0] ?? name,
    background,
    foreground,
    isItalic,
    discs = [],
  } = logos[code] ?? plainLogo
  const letters =
    `<text x="24" y="17" fill="${foreground}" font-family="Arial,Helvetica,sans-serif" font-weight="700" ` +
    `font-size="${fontSizeOf(text)}" ${isItalic ? 'font-style="italic" ' : ''}text-anchor="middle" ` +
    `dominant-baseline="middle">${escapeHtml(text)}</text>`
  const circles = discs.map(([colour, x]) => `<circle cx="${x}" cy="16" r="8.5" fill="${colour}" fill-opacity=".9"/>`)
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img">` +
    `<rect x=".5" y=".5" width="47" height="31" rx="4.5" fill="${background}" stroke="#8b93a1" stroke-opacity=".5"/>` +
    `${discs.length > 0 ? circles.join('') : letters}</svg>\n`
  )
}
