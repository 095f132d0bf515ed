import { createHash } from 'node:crypto';

/** A strong entity tag, without quotes, of a body. */
export const entityTag = (body: string): string => createHash('sha1').update(body).digest('base64url');

const TAGS = /(?:W\/)?"([^"]*)"/g;

/** Whether `If-None-Match` names the tag: one, a list, or `*`. Weak comparison, as RFC 9110 asks for here. */
export const matchesNone = (header: string, tag: string): boolean => {
  if (header.length === tag.length + 2 && header.charCodeAt(0) === 34 && header.startsWith(tag, 1)) return true;
  if (header.trim() === '*') return true;
  for (const [, listed] of header.matchAll(TAGS)) if (listed === tag) return true;
  return false;
};
