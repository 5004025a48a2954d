import { type SaxesAttributeNS, SaxesParser } from 'saxes'
import { FaultError, type FaultReason, type Place } from '../file-fault.ts'
import { limits } from '../limits.ts'

/** Receives the elements of a document. */
export interface XmlHandler {
  /** @param attributes by local name */
  open(element: XmlElement, place: Place): void
  /** @param text the text of an element without child elements, trimmed; otherwise that after its last child */
  close(text: string, place: Place): void
}

export interface XmlElement {
  readonly name: string
  readonly namespace: string
  readonly attributes: Readonly<Record<string, SaxesAttributeNS>>
}

/** Parses pieces of a document in XML 1.0. Both functions throw a FaultError. */
export interface XmlParser {
  write(piece: string): void
  end(): void
  place(): Place
}

/** Messages of the parser that have a reason of their own. */
const reasonsOfMessages: readonly (readonly [message: RegExp, reason: FaultReason])[] = [
  [/undefined entity|entity name/, 'ENTITY'],
  [/unclosed tag|unexpected end|must contain a root/, 'TRUNCATED'],
  [/outside of root node|only one root/, 'TRAILING'],
  [/disallowed character\.$/, 'CONTROL_CHARACTER'],
]

/**
 * Creates a parser that bounds depth, attributes and texts, and rejects document type declarations. Entities other than
 * the five predefined ones are not defined; nothing is loaded.
 */
export function createXmlParser(handler: XmlHandler): XmlParser {
  const parser = new SaxesParser({ xmlns: true })
  let text = ''
  let depth = 0
  let attributeCount = 0
  let isRootClosed = false
  /** The position after the last complete part of the document, which bounds the length of the next part. */
  let partStart = 0

  const place = (): Place => ({ line: parser.line, column: parser.column + 1 })
  const reject = (reason: FaultReason): never => {
    throw new FaultError(reason, place())
  }
  const endPart = (length: number): void => {
    if (length > limits.xmlTextCharsMax) reject('XML_BOUND')
    partStart = parser.position
  }
  const addText = (part: string): void => {
    endPart(part.length + text.length)
    text += part
  }

  parser.on('error', ({ message }) => {
    const reason = reasonsOfMessages.find(([pattern]) => pattern.test(message))?.[1] ?? 'XML'
    return reject(reason === 'TRAILING' && !isRootClosed ? 'XML' : reason)
  })
  parser.on('xmldecl', ({ encoding = 'UTF-8', version = '1.0' }) => {
    if (encoding.toUpperCase() !== 'UTF-8') reject('ENCODING')
    if (version !== '1.0') reject('XML')
  })
  parser.on('doctype', () => reject('DOCTYPE'))
  parser.on('comment', ({ length }) => endPart(length))
  parser.on('processinginstruction', ({ target, body }) => endPart(target.length + body.length))
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.on('opentagstart', ({ name }) => {
    if (isRootClosed) reject('TRAILING')
    if (++depth > limits.xmlDepthMax) reject('XML_BOUND')
    attributeCount = 0
    endPart(name.length)
  })
  parser.on('attribute', ({ value }) => {
    if (++attributeCount > limits.xmlAttributesMax) reject('XML_BOUND')
    endPart(value.length)
  })
  parser.on('opentag', ({ local, uri, attributes }) => {
    text = ''
    handler.open({ name: local, namespace: uri, attributes }, place())
  })
  parser.on('closetag', () => {
    depth--
    isRootClosed = depth === 0
    handler.close(text.trim(), place())
    text = ''
  })

  return {
    write(piece) {
      parser.write(piece)
      if (parser.position - partStart > limits.xmlTextCharsMax + limits.pieceBytes) reject('XML_BOUND')
    },
    end() {
      parser.close()
    },
    place,
  }
}
