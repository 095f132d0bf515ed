import { BrokenReport } from './broken-report.js';

/** The encoding that the first bytes show: by their mark, or by where the zeros of a first ASCII character stand. */
const encodingOf = ([first, second, third, fourth]: Uint8Array): string => {
  if (first === 0xff && second === 0xfe) return third === 0 && fourth === 0 ? 'utf-32' : 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (first === 0 && second === 0) return 'utf-32';
  if (first === 0 && second !== undefined) return 'utf-16be';
  if (first !== undefined && second === 0) return third === 0 ? 'utf-32' : 'utf-16le';
  return 'utf-8';
};

/**
 * Turns bytes into text: UTF-8 and UTF-16, with or without a mark, which is left out. Bytes that are none of the encoding become
 * U+FFFD. Throws BrokenReport for UTF-32.
 */
export async function* decodePieces(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  let head = new Uint8Array();
  for await (const piece of pieces) {
    const bytes: Uint8Array = head.length === 0 ? piece : Buffer.concat([head, piece]);
    head = new Uint8Array();
    // Two bytes may come alone.
    if (decoder === undefined && bytes.length < 4) head = Uint8Array.from(bytes);
    else {
      decoder ??= decoderFor(bytes);
      yield decoder.decode(bytes, { stream: true });
    }
  }
  if (decoder === undefined && head.length > 0) yield decoderFor(head).decode(head);
  else if (decoder !== undefined) yield decoder.decode();
}

const decoderFor = (bytes: Uint8Array) => {
  const encoding = encodingOf(bytes);
  if (encoding === 'utf-32') throw new BrokenReport('is encoded in UTF-32; write it in UTF-8 or UTF-16', 1);
  return new TextDecoder(encoding);
};
