import type { ApiKey } from '@shipworthy/client';

export type KeyScope = ApiKey['scopes'][number];

/** What a key may do, in the order it is offered in. */
export const SCOPES = [
  ['read', 'Read'],
  ['deployments:write', 'Report deployments'],
  ['test-runs:write', 'Report test runs'],
] as const satisfies readonly (readonly [KeyScope, string])[];

/** `Read, report test runs`. */
export const scopesText = (scopes: readonly KeyScope[]): string =>
  SCOPES.filter(([scope]) => scopes.includes(scope))
    .map(([, title], at) => (at === 0 ? title : title.toLowerCase()))
    .join(', ');
