import { cardBrands, isCardBrand } from '@tollgate/contract'
import { limits } from '../limits.ts'
import { authorisationExpiresAtMs } from './authorisation-validity.ts'
import { type Begin, begin, type Command } from './command.ts'

/**
 * PA: holds an amount on the shopper's account for a while. An amount of zero verifies the account and can never be
 * captured.
 */
export const preauthorise: Begin = (command) => {
  const { brand = null, authorisationCase = 'customer', atMs } = command
  return begin(command, 0, {
    numberOfCaptures: capturesOf(command),
    expiresAtMs: authorisationExpiresAtMs(brand, authorisationCase, atMs),
  })
}

/** The requested number; else the maximum of clearing for brands with several captures, and 1 for other brands. */
function capturesOf({ brand, numberOfCaptures }: Command): number {
  if (numberOfCaptures !== undefined) return numberOfCaptures
  return brand !== undefined && isCardBrand(brand) && cardBrands[brand].multipleCaptures ? limits.capturesMax : 1
}
