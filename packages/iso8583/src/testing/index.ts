/** Messages for tests of other packages. The product does not use this module. */
export { knownMessage, knownMessages } from './known-messages.ts'
