/**
 * ISO 8583: the messages between an acquirer and its clients, as tables of fields, with their encoder, decoder and
 * printer, the headers of frames on TCP, and the nested data of chips. Each edition is a table, and each
 * dialect a set of encodings. A link keeps a connection to a host alive and matches answers with requests; connections
 * and time are supplied by the caller. The package uses no other package.
 */
export { decodeIccData, encodeIccData, type IccElement } from './ber-tlv.ts'
export { decodeMessage, encodeMessage } from './codec.ts'
export { bytesOf, type Value } from './content.ts'
export { FieldError } from './field-error.ts'
export type { Field, Fields, Kind, Message, Secrecy, ValueOf } from './field.ts'
export { createFrameReader, encodeFrame, type Frame, type FrameReader } from './frames.ts'
export { type HeaderName, headerNames, isHeaderName } from './frames.ts'
export { joinedFields } from './joined-fields.ts'
export { limits } from './limits.ts'
export { joinLinks, type LinkGroup } from './link/link-group.ts'
export { type Link, type LinkEvent, type LinkOptions, type LinkOutcome, startLink } from './link/link.ts'
export { type NetworkCode, networkCodes } from './link/link.ts'
export { firstTypeOf, repeatTypeOf, responseTypeOf } from './link/message-type.ts'
export { createFrameWriter } from './link/frame-writer.ts'
export { printMessage } from './print-message.ts'
export { decodePrivateData, encodePrivateData } from './private-data.ts'
export type { Dialect, Spec } from './spec.ts'
export { ascii1987, binary1987, binary1993, type SpecName, specs } from './specs/specs.ts'
export { wipeMessage, wipeValues } from './wipe-message.ts'
