import { limits } from '../limits.ts'
import { catalogue, type Product } from './catalogue.ts'

/** Quantities, by the ids of products. */
export type Cart = Readonly<Record<string, number>>

/** A product and its quantity. */
export interface CartLine {
  readonly product: Product
  readonly quantity: number
}

export const emptyCart: Cart = {}

/** The lines of a cart, in the order of the catalogue. */
export const linesOf = (cart: Cart): readonly CartLine[] =>
  catalogue.flatMap((product) => {
    const quantity = cart[product.id] ?? 0
    return quantity > 0 ? [{ product, quantity }] : []
  })

/** The cart with another quantity of a product; 0 removes the product. */
export const withQuantity = (cart: Cart, { id }: Product, quantity: number): Cart => ({
  ...cart,
  [id]: Math.max(0, Math.min(limits.quantityMax, quantity)),
})

/** The cart without the ordered products. Products that another tab has added since the order remain. */
export const withoutLines = (cart: Cart, lines: readonly CartLine[]): Cart =>
  lines.reduce((rest, { product, quantity }) => withQuantity(rest, product, (rest[product.id] ?? 0) - quantity), cart)

/** The total by the prices of the catalogue. The browser only sends products and quantities. */
export const totalMinor = (lines: readonly CartLine[]): number =>
  lines.reduce((sum, { product, quantity }) => sum + product.priceMinor * quantity, 0)

/** An amount in the format of the gateway: `92.00`. */
export const amountOf = (minor: number): string => (minor / 100).toFixed(2)
