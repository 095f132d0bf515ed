// Writes integrations/snippets, and the same texts in docs/how-to/use-in-ci.md: what `shipworthy init` writes, with
// example values. Usage, after a build: node scripts/write-snippets.mjs. A test of integrations/snippets compares them.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ALL_SYSTEMS } from '@shipworthy/cli/snippet';
import { EXAMPLE, folderOf } from '../integrations/snippets/dist/test/example.js';

const folder = join(dirname(dirname(fileURLToPath(import.meta.url))), 'integrations', 'snippets');
for (const system of ALL_SYSTEMS) {
  mkdirSync(join(folder, folderOf(system)), { recursive: true });
  writeFileSync(join(folder, folderOf(system), basename(system.path)), system.snippet(EXAMPLE));
}

const page = join(folder, '..', '..', 'docs', 'how-to', 'use-in-ci.md');
const filled = readFileSync(page, 'utf8').replace(/^(```\w+ snippet (\w+)\n)[\s\S]*?^```$/gm, (_, fence, name) => {
  const system = ALL_SYSTEMS.find((one) => one.name === name);
  if (system === undefined) throw new Error(`there is no snippet for ${name}`);
  return `${fence}${system.snippet(EXAMPLE)}\`\`\``;
});
writeFileSync(page, filled);
