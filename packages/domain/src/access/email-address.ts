/** What addresses are compared by: NFKC, then lower case. Two spellings with one key are one address. */
export const addressKey = (email: string): string => email.normalize('NFKC').toLowerCase();
