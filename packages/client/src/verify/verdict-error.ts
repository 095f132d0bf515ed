/**
 * Why a verdict is not believed: `malformed` it is no envelope with a statement; `unknown-key` none of the given keys is
 * said to have signed it; `bad-signature` it was not signed by that key as it is; `wrong-type` it states something else than
 * a verdict; `unsupported` this runtime has no Ed25519 (or, in a browser, the page has no secure context), so nothing is known.
 */
export type VerdictErrorCode = 'malformed' | 'unknown-key' | 'bad-signature' | 'wrong-type' | 'unsupported';

/** A verdict that could not be verified. */
export class VerdictError extends Error {
  override readonly name = 'VerdictError';
  constructor(
    readonly code: VerdictErrorCode,
    message: string,
  ) {
    super(message);
  }
}

export const malformed = (what: string): VerdictError => new VerdictError('malformed', `This is no verdict: ${what}.`);
