import { malformed } from './verdict-error.js';

const bytesOf = (binary: string): Uint8Array<ArrayBuffer> => Uint8Array.from(binary, (char) => char.charCodeAt(0));

/** The bytes of base64, standard or for URLs, padded or not; refuses any other spelling of the same bytes. */
export const bytesOfBase64 = (text: string, what: string): Uint8Array<ArrayBuffer> => {
  const standard = text.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '');
  try {
    const binary = atob(standard);
    // Readers overlook white space and spare bits at the end.
    if (btoa(binary).replace(/=+$/, '') === standard) return bytesOf(binary);
  } catch {
    throw malformed(`${what} is not base64`);
  }
  throw malformed(`${what} is not base64`);
};
