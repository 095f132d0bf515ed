// Runs one release from its creation to its shipping, on a server that this program starts.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@shipworthy/client';
import { setUp } from '@shipworthy/example-own-pipeline/person';
import { startServer } from '@shipworthy/example-own-pipeline/server-process';
import { create, live } from './life.js';

const folder = await mkdtemp(join(tmpdir(), 'release-life-'));
const server = await startServer(folder, 'the token of this example');
try {
  const ada = await setUp(server.url, server.setupToken);
  const path = await create(ada);
  const scopes = ['read', 'deployments:write', 'test-runs:write'] as const;
  const { key } = (await ada.createApiKey({ body: { name: 'ci', scopes } })).body.data;
  const pipeline = createClient({ baseUrl: server.url, apiKey: key });
  await live(ada, pipeline, path, (heading, lines) =>
    process.stdout.write(`${heading}\n${lines.map((line) => `  ${line}\n`).join('')}`),
  );
} finally {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}
