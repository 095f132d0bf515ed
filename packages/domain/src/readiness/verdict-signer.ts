/** A signed text in an envelope of DSSE, version 1: what was signed, and by whom. */
export interface SignedEnvelope {
  readonly payloadType: 'application/vnd.in-toto+json';
  /** The text in UTF-8 as base64. */
  readonly payload: string;
  readonly signatures: readonly { readonly keyid: string /** Base64. */; readonly sig: string }[];
}

/** A public key of Ed25519 as people fetch it. */
export interface VerdictKey {
  /** Its thumbprint (RFC 7638), which the signatures name. */
  readonly keyid: string;
  /** The 32 bytes as base64url. */
  readonly x: string;
}

/** Vouches for what the service says, so that it can be believed where the service is not. */
export interface VerdictSigner {
  /** An in-toto statement in its envelope. */
  sign(statement: string): Promise<SignedEnvelope>;
  /** The present key first, then those that signed before it. */
  keys(): Promise<readonly VerdictKey[]>;
}
