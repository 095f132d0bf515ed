import { parsedUrl } from '@shipworthy/client/contract';
import { harmless } from '../output/safe-text.js';

/** One line of 1-200 characters that cannot steer a terminal. */
export const isLabel = (text: string): boolean =>
  text.length > 0 && text.length <= 200 && harmless(text) === text && !/[\t\n]/.test(text);

/** A commit hash as git writes it. */
export const isCommit = (text: string): boolean => /^[0-9a-f]{7,64}$/i.test(text);

/** An http or https address without user or password, of at most 2,048 characters. */
export const isPage = (text: string): boolean => {
  const url = text.length <= 2_048 ? parsedUrl(text) : undefined;
  return url !== undefined && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
};
