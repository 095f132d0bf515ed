import { createRequire } from 'node:module';

const { version } = createRequire(import.meta.url)('../../package.json') as { readonly version: string };

/** The version of this package, as published. */
export const SERVER_VERSION: string = version;
