/** What addresses are compared by: NFKC, then lower case. Two spellings with one key are one address. */
export const addressKey = (email: string): string => email.normalize('NFKC').toLowerCase();

/** Scripts with letters that look like those of another one. */
const LOOKALIKE_SCRIPTS = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Cherokee}/u,
];

/**
 * Whether one of the texts, an address or a name, has letters of two scripts that look alike, as "p\u0430ypal" with a
 * Cyrillic letter. Compatibility forms count as the letters they stand for. Such texts are marked, not refused: honest ones exist.
 */
export const mixesScripts = (...texts: readonly (string | null)[]): boolean =>
  texts.some((text) => {
    const plain = text?.normalize('NFKC') ?? '';
    return LOOKALIKE_SCRIPTS.filter((script) => script.test(plain)).length > 1;
  });
