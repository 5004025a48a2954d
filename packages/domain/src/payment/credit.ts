import { type Begin, begin } from './command.ts'

/** CD: pays out to an account, without reference to an earlier payment. */
export const credit: Begin = (command) => begin(command, 1)
