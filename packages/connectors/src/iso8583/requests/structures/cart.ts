import { limits } from '../limits.ts'
import { list, structure, type StructurePart } from './structure.ts'

const { itemTextCharsMax } = limits

const amounts = structure('', 'A', [
  ['1', 'taxAmount'],
  ['2', 'discountAmount'],
  ['3', 'promotionCode'],
  ['4', 'forex.amount'],
  ['5', 'forex.currency'],
])

const payments = list('cart.payments', 'cart.payments[n].', 'P', [
  ['1', 'name', itemTextCharsMax],
  ['2', 'type'],
  ['3', 'amount'],
  ['4', 'currency'],
  ['5', 'status'],
  ['6', 'brand'],
  ['7', 'primary'],
])

/** The data of level 3; delivery, gifts and pictures concern the merchant only. */
const items = list('cart.items', 'cart.items[n].', 'I', [
  ['1', 'name', itemTextCharsMax],
  ['2', 'merchantItemId'],
  ['3', 'quantity'],
  ['4', 'type'],
  ['5', 'sku'],
  ['6', 'currency'],
  ['7', 'description', itemTextCharsMax],
  ['8', 'commodityCode'],
  ['9', 'commodityDescription', itemTextCharsMax],
  ['A', 'originalPrice'],
  ['B', 'price'],
  ['C', 'totalAmount'],
  ['D', 'taxAmount'],
  ['E', 'totalTaxAmount'],
  ['F', 'tax'],
  ['G', 'taxCategory'],
  ['H', 'shipping'],
  ['I', 'discount'],
  ['J', 'quantityUnit'],
  ['K', 'totalDiscountAmount'],
  ['L', 'productCode'],
  ['M', 'partNumber'],
  ['N', 'vatReferenceNumber'],
  ['O', 'itemNumber'],
  ['P', 'sellerId'],
])

/** Field 123: amounts of the invoice, payments that were already made, and the items of the cart. */
export const cart: readonly StructurePart[] = [amounts, payments, items]
