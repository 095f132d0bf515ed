import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { memoryStores } from '@shipworthy/adapters/memory';
import { createShipworthy } from '@shipworthy/server';
import { openAuditFile } from './audit-file.js';
import { withAuditFile } from './with-audit-file.js';

const folder = await mkdtemp(join(tmpdir(), 'custom-store-'));
const path = join(folder, 'audit.ndjson');
const setupToken = randomBytes(12).toString('hex');
const shipworthy = createShipworthy({
  stores: withAuditFile(memoryStores(), await openAuditFile(path)),
  secretKey: randomBytes(32),
  setupToken,
});
try {
  const { origin } = await shipworthy.listen({ host: '127.0.0.1', port: 0 });
  const post = (route: string, body: object, headers: Record<string, string> = {}) =>
    fetch(origin + route, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin, ...headers },
      body: JSON.stringify(body),
    });
  const ada = { email: 'ada@example.org', name: 'Ada', password: 'a long enough phrase' };
  const setUp = await post('/api/setup', { setup_token: setupToken, ...ada });
  const [cookie = ''] = setUp.headers.get('set-cookie')?.split(';') ?? [];
  await post('/api/teams', { name: 'Payments' }, { cookie });
} finally {
  await shipworthy.close();
}
for (const line of (await readFile(path, 'utf8')).trimEnd().split('\n')) {
  const { actor, action, resource } = JSON.parse(line);
  console.log(`${actor.name}: ${action} (${resource.type})`);
}
await rm(folder, { recursive: true });
