/** The place in which clearing files are put for acquirers. */
export interface ClearingFiles {
  /**
   * Puts a file in its place as a whole, and durably: no part of it is ever visible. It replaces a file of its name.
   *
   * @param acquirer the name of the connector
   */
  put(acquirer: string, name: string, pieces: AsyncIterable<string>): Promise<void>
}
