import { pattern } from '../format.ts'

export const expiryMonth = pattern('01 to 12', /^(0[1-9]|1[0-2])$/)

export const expiryYear = pattern('4 digits, starting with 19 or 20', /^(19|20)[0-9]{2}$/)
