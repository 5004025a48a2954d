import type { CardRanges } from './card-ranges.ts'
import type { DirectoryServer } from './directory-server.ts'

/** The issuers of cards, as far as they can be reached. */
export interface Issuers extends DirectoryServer {
  readonly ranges: CardRanges
}
