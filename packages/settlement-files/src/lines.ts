import { FaultError, type Place } from './file-fault.ts'
import { controlCharacterIn } from './control-character.ts'
import { limits } from './limits.ts'

/** Splits pieces of a text into lines. */
export interface Lines {
  write(piece: string): void
  /** Passes on a last line that has no line end. */
  end(): void
  place(): Place
}

/** @param onLine receives each line without its end (LF or CRLF), and its number from 1 */
export function createLines(onLine: (line: string, number: number) => void): Lines {
  let rest = ''
  let number = 1
  const checkLength = (length: number): void => {
    if (length > limits.lineCharsMax) {
      throw new FaultError('LINE_LENGTH', { line: number, column: limits.lineCharsMax + 1 })
    }
  }
  const pass = (line: string): void => {
    checkLength(line.length)
    const text = line.endsWith('\r') ? line.slice(0, -1) : line
    const control = controlCharacterIn(text)
    if (control >= 0) throw new FaultError('CONTROL_CHARACTER', { line: number, column: control + 1 })
    onLine(text, number)
    number++
  }
  return {
    write(piece) {
      let start = 0
      for (let end = piece.indexOf('\n'); end >= 0; end = piece.indexOf('\n', start)) {
        const line = piece.slice(start, end)
        start = end + 1
        const whole = rest + line
        rest = ''
        pass(whole)
      }
      rest += piece.slice(start)
      checkLength(rest.length)
    },
    end() {
      if (rest !== '') pass(rest)
      rest = ''
    },
    place: () => ({ line: number, column: rest.length + 1 }),
  }
}
