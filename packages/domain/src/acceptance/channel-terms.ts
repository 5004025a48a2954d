/** Settings of a channel that decide which requests it accepts. */
export interface ChannelTerms {
  readonly enabled: boolean
  /** undefined: every brand. */
  readonly brands: ReadonlySet<string> | undefined
  /** undefined: every currency. */
  readonly currencies: ReadonlySet<string> | undefined
  /** Origins, of apps schemes, that shoppers may return to; undefined: any. */
  readonly shopperResultOrigins: ReadonlySet<string> | undefined
  readonly threeDSecure: 'off' | 'enrolled' | 'always'
  /** Whether terminals pay on the channel. */
  readonly pointOfSale: boolean
}
