/** Randomness and one-way functions, kept outside the domain. */
export interface Secrets {
  /** A new API key: `swk_`, 30 random base62 characters, 6 base62 characters of CRC32 over what stands before. */
  newApiKey(): string;
  /** 256 random bits for a session or an invitation, URL-safe. */
  newToken(): string;
  /** SHA-256, hexadecimal, of a random secret. Not for passwords. */
  hash(secret: string): string;
  /** scrypt with its parameters in the answer; at most two are computed at a time. */
  hashPassword(password: string): Promise<string>;
  /** Takes the same time whether `stored` is there or not; false without one. */
  verifyPassword(password: string, stored: string | undefined): Promise<boolean>;
}
