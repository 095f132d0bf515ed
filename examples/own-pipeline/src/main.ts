import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readHistory } from './git-history.js';
import { setUp } from './person.js';
import { runPipeline } from './pipeline.js';
import { gateText } from './scorecard.js';
import { startServer } from './server-process.js';
import { setStage, tick } from './stage.js';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const { SHIPWORTHY_API_URL: url, SHIPWORTHY_API_KEY: apiKey, SHIPWORTHY_APP: app = 'shipworthy' } = process.env;

/** Starts a server, does what people do by hand, then what the pipeline does. */
const runAlone = async (folder: string): Promise<void> => {
  const server = await startServer(folder, randomBytes(12).toString('hex'));
  const end = () => void server.stop();
  process.once('SIGINT', end).once('SIGTERM', end);
  console.log(`Server: ${server.url}`);
  try {
    const { commits } = await readHistory(root);
    const first = commits.reduce((least, { committedAt }) => Math.min(least, committedAt.getTime()), Date.now());
    const person = await setUp(server.url, server.setupToken);
    const stage = await setStage(person, app, new Date(first - 1000));
    const docs = `${server.url}/api/docs`;
    await tick(person, stage.path, 'Docs', docs);
    await tick(person, stage.path, 'Feature flag', docs);
    console.log(await runPipeline({ url: server.url, apiKey: stage.apiKey, app }, root, folder));
    await tick(person, stage.path, 'Rollback', docs);
    const { body } = await person.readReadiness({ path: stage.path });
    console.log(`\nAda ticks Rollback and links what shows it.\n${gateText(body.data.gate)}`);
  } finally {
    await server.stop();
  }
};

const folder = await mkdtemp(join(tmpdir(), 'own-pipeline-'));
try {
  if (url === undefined) await runAlone(folder);
  else console.log(await runPipeline({ url, apiKey: apiKey ?? '', app }, root, folder));
} catch (error) {
  console.error(`Error: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}
