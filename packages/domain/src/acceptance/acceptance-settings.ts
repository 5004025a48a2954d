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
  /** Whether the channel accepts payments at terminals. */
  readonly pointOfSale: boolean
}
