import { readFileSync } from 'node:fs';
import type { ALL_SYSTEMS } from '@shipworthy/cli/snippet';

type CiSystem = (typeof ALL_SYSTEMS)[number];

// What npx is to install: this very version.
const { version } = JSON.parse(readFileSync(new URL('../../../../packages/cli/package.json', import.meta.url), 'utf8'));

/** What the files here are filled with. */
export const EXAMPLE: Parameters<CiSystem['snippet']>[0] = {
  apiUrl: 'https://shipworthy.example',
  app: 'checkout',
  environment: 'production',
  branch: 'main',
  test: 'npm test',
  shipworthy: `@shipworthy/cli@${version}`,
};

/** The folder of a system's file. */
export const folderOf = ({ name }: CiSystem): string => name;
