/** Settings of a channel that decide which requests it accepts. */
export interface AcceptanceSettings {
  readonly enabled: boolean
  /** undefined: every brand. */
  readonly brands: ReadonlySet<string> | undefined
  /** undefined: every currency. */
  readonly currencies: ReadonlySet<string> | undefined
  /** Origins of pages and schemes of apps to which shoppers may return; undefined: any. */
  readonly shopperResultOrigins: ReadonlySet<string> | undefined
  readonly threeDSecure: 'off' | 'enrolled' | 'always'
  /** Whether a card that a terminal has read, according to the request, is exempt from 3-D Secure. */
  readonly pointOfSale: boolean
  /** Whether sales are accepted that card and terminal have approved without the issuer. */
  readonly offlineSales: boolean
}
