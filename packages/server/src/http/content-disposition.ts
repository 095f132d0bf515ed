/** Characters that mean something to some file system or shell, and what is not seen, such as controls of direction. */
const UNSAFE = /[\\/:*?"<>|%`$';&#~\p{C}\p{Zl}\p{Zp}]/gu;
const LONGEST = 100;

/**
 * A name from outside as part of a file's name: no folder, no device, nothing hidden, 100 characters at most; what is left
 * out is a `_`. Never empty.
 */
export const safeFileName = (name: string): string => {
  const safe = [...name.replace(UNSAFE, '_')].slice(0, LONGEST).join('');
  const trimmed = safe.replace(/^[.\s-]+|[.\s]+$/g, '');
  return trimmed === '' ? '_' : trimmed;
};

/** Beyond what `encodeURIComponent` does: no `attr-char` of RFC 8187. */
const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/['()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);

/**
 * `Content-Disposition` of a file to be kept under a safe name, after RFC 6266: `filename*` beside `filename` where the name
 * is not ASCII.
 */
export const attachment = (fileName: string): string => {
  const ascii = fileName.replace(/[^\x20-\x7e]/gu, '_');
  const plain = `attachment; filename="${ascii.replace(/["\\]/g, '_')}"`;
  return ascii === fileName ? plain : `${plain}; filename*=UTF-8''${encoded(fileName)}`;
};
