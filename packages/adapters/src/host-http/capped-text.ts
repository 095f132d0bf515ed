/** Thrown when an answer is larger than asked for. */
export class TooLarge extends Error {
  override readonly name = 'TooLarge';
}

/**
 * The text of an answer, read whole, as UTF-8. A larger one than `limit` bytes is dropped on the way with TooLarge, so
 * that no host can fill the memory.
 */
export const cappedText = async (response: Response, limit: number): Promise<string> => {
  if (response.body === null) return '';
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  // Leaving the loop by an error cancels the stream, and with it the connection.
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > limit) throw new TooLarge(`more than ${limit} bytes`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
};
