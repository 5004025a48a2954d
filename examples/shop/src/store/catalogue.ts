import { type Html, html } from '@tollgate/contract'
import type { ShopLanguage } from '../pages/languages.ts'

export interface Product {
  readonly id: string
  readonly name: Readonly<Record<ShopLanguage, string>>
  readonly description: Readonly<Record<ShopLanguage, string>>
  readonly priceMinor: number
  readonly picture: Html
}

export const CURRENCY = 'EUR'

const picture = (shapes: Html): Html =>
  html`<svg class="picture" viewBox="0 0 160 120" aria-hidden="true" focusable="false">${shapes}</svg>`

/** Draws a tin with a label in the colours of a tea. */
const tin = (body: string, label: string, leaf: string): Html =>
  picture(html`<ellipse cx="80" cy="106" rx="42" ry="6" opacity=".12"/>
<rect x="46" y="26" width="68" height="78" rx="8" fill="${body}"/>
<rect x="42" y="18" width="76" height="16" rx="6" fill="${body}"/>
<rect x="42" y="29" width="76" height="5" opacity=".18"/>
<rect x="54" y="46" width="52" height="44" rx="4" fill="${label}"/>
<path d="M80 54c14 6 14 22 0 29-14-7-14-23 0-29z" fill="${leaf}"/>
<path d="M80 58v23" stroke="${label}" stroke-width="2"/>`)

const kettle = picture(html`<ellipse cx="80" cy="106" rx="46" ry="6" opacity=".12"/>
<path d="M56 40c0-26 48-26 48 0" fill="none" stroke="#2b2f36" stroke-width="6" stroke-linecap="round"/>
<path d="m112 62 24-14 5 7-23 26z" fill="#3d4652"/>
<path d="M48 42h64l10 52a10 10 0 0 1-10 12H48a10 10 0 0 1-10-12z" fill="#3d4652"/>
<path d="M52 42h14l-8 64H48a10 10 0 0 1-10-12z" fill="#fff" opacity=".16"/>
<rect x="44" y="36" width="72" height="8" rx="4" fill="#2b2f36"/><circle cx="80" cy="32" r="5" fill="#c58b3b"/>`)

const cups = picture(html`<ellipse cx="80" cy="104" rx="56" ry="6" opacity=".12"/>
<path d="M26 56h44v22a20 20 0 0 1-20 20h-4a20 20 0 0 1-20-20z" fill="#c8dbe4"/>
<path d="M26 56h44v8H26z" fill="#8fb3c4"/>
<path d="M88 50h48v26a22 22 0 0 1-22 22h-4a22 22 0 0 1-22-22z" fill="#e7d9c4"/>
<path d="M88 50h48v9H88z" fill="#c9ac80"/>
<path d="M42 44c-6-8 6-10 0-18m16 18c-6-8 6-10 0-18m48 14c-6-8 6-10 0-18m16 18c-6-8 6-10 0-18" fill="none"
  stroke="#9aa7b2" stroke-width="3" stroke-linecap="round"/>`)

const strainer = picture(html`<ellipse cx="76" cy="104" rx="40" ry="5" opacity=".12"/>
<path d="M40 48h72c0 30-14 52-36 52S40 78 40 48z" fill="#d9b26a"/>
<path d="M48 58h56M52 70h48M58 82h36M64 52v40M76 52v46M88 52v40" stroke="#a97f36" stroke-width="2"/>
<rect x="34" y="42" width="84" height="8" rx="4" fill="#a97f36"/>
<rect x="114" y="42" width="36" height="7" rx="3.5" fill="#7c5a20"/>`)

export const catalogue: readonly Product[] = [
  {
    id: 'sencha',
    name: { en: 'Sencha', de: 'Sencha', ar: 'شاي سنتشا' },
    description: {
      en: 'Green tea, spring harvest, 100 g',
      de: 'Grüner Tee, Frühlingsernte, 100 g',
      ar: 'شاي أخضر، قطفة الربيع، 100 غ',
    },
    priceMinor: 12_50,
    picture: tin('#4d7c4f', '#f2f5e6', '#6da65f'),
  },
  {
    id: 'assam',
    name: { en: 'Assam', de: 'Assam', ar: 'شاي أسام' },
    description: {
      en: 'Black tea, malty and strong, 100 g',
      de: 'Schwarzer Tee, malzig und kräftig, 100 g',
      ar: 'شاي أسود قوي بنكهة الشعير، 100 غ',
    },
    priceMinor: 9_00,
    picture: tin('#8a3b2a', '#fbeee3', '#c06a3e'),
  },
  {
    id: 'rooibos',
    name: { en: 'Rooibos', de: 'Rooibos', ar: 'شاي رويبوس' },
    description: {
      en: 'Red bush, no caffeine, 100 g',
      de: 'Rotbusch, ohne Koffein, 100 g',
      ar: 'شاي أعشاب أحمر خالٍ من الكافيين، 100 غ',
    },
    priceMinor: 8_50,
    picture: tin('#b4622d', '#fff3e2', '#d98a45'),
  },
  {
    id: 'kettle',
    name: { en: 'Kettle', de: 'Wasserkessel', ar: 'غلاية ماء' },
    description: {
      en: 'Brushed steel, 1.2 litres',
      de: 'Gebürsteter Stahl, 1,2 Liter',
      ar: 'فولاذ مصقول بالفرشاة، 1.2 لتر',
    },
    priceMinor: 64_00,
    picture: kettle,
  },
  {
    id: 'cups',
    name: { en: 'Two cups', de: 'Zwei Becher', ar: 'كوبان' },
    description: { en: 'Stoneware, fired by hand', de: 'Steinzeug, von Hand gebrannt', ar: 'خزف حجري، صناعة يدوية' },
    priceMinor: 28_00,
    picture: cups,
  },
  {
    id: 'strainer',
    name: { en: 'Tea strainer', de: 'Teesieb', ar: 'مصفاة شاي' },
    description: {
      en: 'Brass, for a cup or a pot',
      de: 'Messing, für Becher und Kanne',
      ar: 'نحاس أصفر، للكوب أو الإبريق',
    },
    priceMinor: 16_50,
    picture: strainer,
  },
]

/** Finds a product by the id that a browser sent. */
export const findProduct = (id: string): Product | undefined => catalogue.find((product) => product.id === id)

/** The monthly subscription. */
export const subscription = { priceMinor: 19_00, name: 'Tea every month' } as const
