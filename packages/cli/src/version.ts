import { createRequire } from 'node:module';

// The package's own file is two folders up from dist/src.
const { version } = createRequire(import.meta.url)('../../package.json') as { readonly version: string };

/** The version of this package, as published. */
export const VERSION: string = version;
