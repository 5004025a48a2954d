import { escapeHtml } from '@tollgate/contract'

/** Colours and letters of a drawn sign. No sign copies the artwork of a brand. */
interface Sign {
  readonly text?: string
  readonly ground: string
  readonly ink: string
  readonly slanted?: true
  /** Discs instead of letters: the colour and centre of each. */
  readonly discs?: readonly (readonly [colour: string, x: number])[]
}

const plain: Sign = { ground: '#fff', ink: '#1f2937' }

const signs: Readonly<Record<string, Sign>> = {
  VISA: { text: 'VISA', ground: '#fff', ink: '#1a1f71', slanted: true },
  VISADEBIT: { text: 'VISA', ground: '#1a1f71', ink: '#fff', slanted: true },
  VISAELECTRON: { text: 'VISA', ground: '#fff', ink: '#0a6ab5', slanted: true },
  VPAY: { text: 'V PAY', ground: '#fff', ink: '#1a1f71', slanted: true },
  MASTER: {
    ground: '#fff',
    ink: '#000',
    discs: [
      ['#eb001b', 19],
      ['#f79e1b', 29],
    ],
  },
  MASTERDEBIT: {
    ground: '#1f2937',
    ink: '#fff',
    discs: [
      ['#eb001b', 19],
      ['#f79e1b', 29],
    ],
  },
  MAESTRO: {
    ground: '#fff',
    ink: '#000',
    discs: [
      ['#0099df', 19],
      ['#ed0006', 29],
    ],
  },
  AMEX: { text: 'AMEX', ground: '#016fd0', ink: '#fff' },
  AXP: { text: 'AMEX', ground: '#016fd0', ink: '#fff' },
  DINERS: { text: 'Diners', ground: '#fff', ink: '#004a97' },
  DISCOVER: { text: 'DISCOVER', ground: '#fff', ink: '#c2410c' },
  JCB: { text: 'JCB', ground: '#0b4ea2', ink: '#fff' },
  UNIONPAY: { text: 'UnionPay', ground: '#00447c', ink: '#fff' },
  UNIONPAY_SMS: { text: 'UnionPay', ground: '#00447c', ink: '#fff' },
  CARTEBANCAIRE: { text: 'CB', ground: '#0a5a8c', ink: '#fff' },
  CARTEBLEUE: { text: 'CB', ground: '#fff', ink: '#0a5a8c' },
  BCMC: { text: 'Bancontact', ground: '#fff', ink: '#005498' },
  DANKORT: { text: 'Dankort', ground: '#fff', ink: '#c8102e' },
  MADA: { text: 'mada', ground: '#fff', ink: '#2e7d32' },
  ELO: { text: 'elo', ground: '#111', ink: '#fff' },
  HIPERCARD: { text: 'Hipercard', ground: '#b3131b', ink: '#fff' },
  RUPAY: { text: 'RuPay', ground: '#fff', ink: '#1b3281', slanted: true },
  TROY: { text: 'troy', ground: '#fff', ink: '#00708d' },
  MIR: { text: 'МИР', ground: '#fff', ink: '#0f754e' },
  DIRECTDEBIT_SEPA: { text: 'SEPA', ground: '#10298e', ink: '#ffdd00' },
  SEPA: { text: 'SEPA', ground: '#10298e', ink: '#ffdd00' },
  PAYPAL: { text: 'PayPal', ground: '#fff', ink: '#003087', slanted: true },
  IDEAL: { text: 'iDEAL', ground: '#fff', ink: '#b30064' },
  GIROPAY: { text: 'giropay', ground: '#003a7d', ink: '#fff' },
  SOFORTUEBERWEISUNG: { text: 'Sofort', ground: '#393a41', ink: '#fff' },
  EPS: { text: 'eps', ground: '#71233a', ink: '#fff' },
  TRUSTLY: { text: 'Trustly', ground: '#0ee06e', ink: '#000' },
  PRZELEWY: { text: 'Przelewy24', ground: '#fff', ink: '#b5121b' },
  PAYSAFECARD: { text: 'paysafecard', ground: '#fff', ink: '#00689e' },
  ALIPAY: { text: 'Alipay', ground: '#1266d4', ink: '#fff' },
  WECHAT_PAY: { text: 'WeChat Pay', ground: '#fff', ink: '#0b7a34' },
  KLARNA_PAYMENTS_PAYNOW: { text: 'Klarna', ground: '#ffb3c7', ink: '#000' },
  KLARNA_PAYMENTS_PAYLATER: { text: 'Klarna', ground: '#ffb3c7', ink: '#000' },
  KLARNA_PAYMENTS_SLICEIT: { text: 'Klarna', ground: '#ffb3c7', ink: '#000' },
  KLARNA_PAYMENTS_BILLPAY: { text: 'Klarna', ground: '#ffb3c7', ink: '#000' },
  MBWAY: { text: 'MB WAY', ground: '#fff', ink: '#c8102e' },
}

const WIDTH = 48
const HEIGHT = 32

/** The largest font size that fits, by the average width of letters. */
const sizeOf = (text: string): number => Math.min(15, Math.floor((WIDTH - 6) / (text.length * 0.68)))

/**
 * The sign of a brand as an image of 48 by 32: the main brands in their colours, all others with their name.
 *
 * @param name as in the table of brands
 * @returns an SVG document
 */
export function brandLogo(code: string, name: string): string {
  const { text = name.split(/[,(]/)[0] ?? name, ground, ink, slanted, discs = [] } = signs[code] ?? plain
  const letters =
    `<text x="24" y="17" fill="${ink}" font-family="Arial,Helvetica,sans-serif" font-weight="700" ` +
    `font-size="${sizeOf(text)}" ${slanted ? 'font-style="italic" ' : ''}text-anchor="middle" ` +
    `dominant-baseline="middle">${escapeHtml(text)}</text>`
  const drawn = discs.map(([colour, x]) => `<circle cx="${x}" cy="16" r="8.5" fill="${colour}" fill-opacity=".9"/>`)
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img">` +
    `<rect x=".5" y=".5" width="47" height="31" rx="4.5" fill="${ground}" stroke="#8b93a1" stroke-opacity=".5"/>` +
    `${discs.length > 0 ? drawn.join('') : letters}</svg>\n`
  )
}
