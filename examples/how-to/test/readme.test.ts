import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ServerProcess, startServer } from '@shipworthy/example-own-pipeline/server-process';
import { expect } from 'chai';
import { readDocument, root } from './documents.js';
import { runBlock } from './shell.js';

const SETUP_TOKEN = 'a token of this test';
const PUBLISHED = 'http://127.0.0.1:4400';

/** The block of a document below `<!-- run: name -->`. */
const blockOf = (path: string, name: string): string => {
  const [, block] =
    new RegExp(`<!-- run: ${name} -->\n\`\`\`sh\n([\\s\\S]*?)\`\`\``).exec(readDocument(path).text) ?? [];
  if (block === undefined) throw new Error(`${path} has no block ${name}.`);
  return block;
};

/** A port that was free a moment ago. */
const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
};

interface Host {
  readonly process: ChildProcess;
  /** What it prints to be exported. */
  readonly settings: Readonly<Record<string, string>>;
}

const startHost = async (service: string): Promise<Host> => {
  const program = join(root, 'examples/repository-host/dist/src/main.js');
  const host = spawn(process.execPath, [program, '0', service], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [printed] = (await once(host.stdout, 'data')) as [Buffer];
  const words = printed.toString('utf8').matchAll(/(GITHUB_\w+)=(?:'([^']*)'|(\S+))/g);
  return {
    process: host,
    settings: Object.fromEntries([...words].map(([, name, quoted, bare]) => [name, quoted ?? bare])),
  };
};

describe('the README', () => {
  let folder = '';
  let host: Host | undefined;
  let server: ServerProcess | undefined;
  let printed = '';
  const run = async (...blocks: readonly string[]): Promise<string> =>
    runBlock(blocks.join('\n').replaceAll(PUBLISHED, server?.url ?? ''), folder, { SETUP_TOKEN });

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'readme-'));
    const port = await freePort();
    host = await startHost(`http://127.0.0.1:${port}`);
    server = await startServer(folder, SETUP_TOKEN, { PORT: String(port), ...host.settings });
    printed = await run(blockOf('README.md', 'first-report'));
  });
  after(async () => {
    await server?.stop();
    host?.process.kill();
    await rm(folder, { recursive: true, force: true });
  });

  it('leads to a first report and a gate that holds and says why', () => {
    const gate = JSON.parse(printed.slice(printed.lastIndexOf('{"data":{'))) as { data: { decision: string } };
    expect(gate.data.decision).to.equal('hold');
    expect(printed).to.contain('"status":"success"').and.to.contain('"passed":410');
  });

  it('leads from a repository host to a score of imported issues', async () => {
    const [beginning = ''] = blockOf('README.md', 'first-report').split(/^team=/m);
    const signedIn = beginning
      .replace('/api/setup"', '/api/session"')
      .replace(/-d '\{"setup_token".*/, `-d '{"email":"ada@example.com","password":"a long enough password"}'`);
    const walk = blockOf('docs/how-to/connect-a-repository-host.md', 'repository-host');
    const said = await run(signedIn, walk);
    expect(said).to.contain('{"configured":true,"connected":true,"account":"ada"}').and.to.contain('{"status":"ok",');
    const report = JSON.parse(said.slice(said.lastIndexOf('{"data":{'))) as {
      data: { axes: { axis: string; score: number }[]; coverage: number };
    };
    expect(report.data.coverage).to.equal(1);
    expect(Object.fromEntries(report.data.axes.map(({ axis, score }) => [axis, score]))).to.deep.equal({
      scope: 75,
      quality: 66.66,
      ops: 0,
      verification: 100,
      stability: 75,
    });
  });
});
