import type { Operation } from '@shipworthy/client/contract';

/** Where what was created is found, below the base path: the operation's `location` with the request's own parameters and the new id; null without one. */
export const locationOf = (operation: Operation, path: Readonly<Record<string, string>>, id: string): string | null =>
  operation.location?.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(name === 'id' ? id : (path[name] ?? '')),
  ) ?? null;
