const CONTROL = /[^\P{Cc}\t\n]/u

/** The offset of the first control character other than tab and line feed; -1 if there is none. */
export const controlCharacterIn = (text: string): number => text.search(CONTROL)
