import { parsedUrl } from '@shipworthy/client/contract';
import type { Found } from './source.js';

/** The address of the server where that of its interface, which ends in `/api`, is given; any other as it is. */
export const serverAddress = (given: string): string => given.replace(/(?<=[^/])\/api\/*$/, '');

/** An address as it is compared: origin and path, without `/api` or a closing slash; the text itself when it is no address. */
export const comparable = (address: string): string => {
  const url = parsedUrl(serverAddress(address));
  if (url === undefined) return address;
  const { origin, pathname } = url;
  return origin + pathname.replace(/\/+$/, '');
};

/** A key, the address its own source names beside it, and the addresses the user trusts. */
export interface KeyCandidate {
  readonly key: Found<string>;
  readonly beside: string | undefined;
}

/**
 * Whether the key may be sent to the address. It may where both come from one source, where the key's source names that very
 * address, where the user's settings list it, and where the caller gives the key and the caller or the user's file the address.
 * A key is never sent to an address that only a repository's file names: who can change the file could collect keys.
 */
export const mayMeet = (
  { key, beside }: KeyCandidate,
  address: Found<string>,
  trustedAddresses: readonly string[],
): boolean => {
  const wanted = comparable(address.value);
  if (key.source.name === address.source.name) return true;
  if (beside !== undefined && comparable(beside) === wanted) return true;
  if (trustedAddresses.some((trusted) => comparable(trusted) === wanted)) return true;
  return key.source.kind === 'environment' && address.source.kind !== 'repository_file';
};
