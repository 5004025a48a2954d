/**
 * ISO 8583: the messages between an acquirer and its clients, as tables of fields, with their encoder, decoder and
 * printer, the headers of frames on TCP, and the nested data of chips and links. Each edition is a table, and each
 * dialect a set of encodings. The functions use no I/O and no clock; the package uses no other package.
 */
export { decodeIccData, encodeIccData, type IccElement } from './ber-tlv.ts'
export { decodeMessage, encodeMessage } from './codec.ts'
export type { Value } from './content.ts'
export { FieldError } from './field-error.ts'
export type { Field, Fields, Kind, Message, Secrecy, ValueOf } from './field.ts'
export { createFrameReader, encodeFrame, type Frame, type FrameReader } from './frames.ts'
export { type HeaderName, headerNames, isHeaderName } from './frames.ts'
export { limits } from './limits.ts'
export { printMessage } from './print-message.ts'
export { decodePrivateData, encodePrivateData } from './private-data.ts'
export type { Dialect, Spec } from './spec.ts'
export { ascii1987, binary1987, binary1993, type SpecName, specs } from './specs/specs.ts'
