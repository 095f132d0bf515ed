import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Workshop } from '../../process/workshop.js';
import type { Query } from '../../read-back/query.js';
import { type FaultLine, holds } from '../fault-programme.js';
import type { FaultProxy } from '../proxy/fault-proxy.js';
import type { Weather } from '../proxy/weather.js';
import type { Ledger } from '../reporters/ledger.js';
import type { Scene } from '../reporters/scene.js';

const program = join(dirname(fileURLToPath(import.meta.resolve('@shipworthy/cli'))), 'main.js');

/** The worst for a command: nothing arrives, the request is lost, the answer is lost, the connection is refused. */
const WEATHERS: readonly Weather[] = [
  { kind: 'break after', direction: 'down', bytes: 40, by: 'reset' },
  { kind: 'break after', direction: 'up', bytes: 100, by: 'cut' },
  { kind: 'black hole' },
];

const run = (workshop: Workshop, args: readonly string[], env: Readonly<Record<string, string>>): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, ...args], { env: { ...process.env, ...env } });
    workshop.keep(child);
    let [output, complaint] = ['', ''];
    child.stdout.on('data', (text) => {
      output += String(text);
    });
    child.stderr.on('data', (text) => {
      complaint += String(text);
    });
    child.once('close', (code) => {
      if (code === 0) resolve(output.trim());
      else reject(new Error(`shipworthy ${args.join(' ')} ended with ${code}: ${complaint}`));
    });
  });

/** Reports by the command while nothing gets through, sends what it kept once the weather is clear, and counts the records. */
export const reportByCommand = async (
  workshop: Workshop,
  scene: Scene,
  proxy: FaultProxy,
  query: Query,
  ledger: Ledger,
  count: number,
): Promise<FaultLine> => {
  const home = workshop.path('home');
  const env = {
    HOME: home,
    XDG_CONFIG_HOME: join(home, 'config'),
    XDG_STATE_HOME: join(home, 'state'),
    XDG_DATA_HOME: join(home, 'data'),
    SHIPWORTHY_API_URL: `http://127.0.0.1:${proxy.port}`,
    SHIPWORTHY_API_KEY: scene.key,
    SHIPWORTHY_APP: scene.project.name,
  };
  const commits = Array.from({ length: count }, () => randomBytes(20).toString('hex'));
  let kept = 0;
  for (const [index, commit] of commits.entries()) {
    ledger.deployments.set(commit, { id: null, state: 'started' });
    proxy.setWeather(WEATHERS[index % WEATHERS.length] ?? { kind: 'clear' });
    const args = ['deploy', 'start', '--env', 'production', '--commit', commit, '--timeout', '1'];
    if ((await run(workshop, args, env)).startsWith('kept:')) kept += 1;
  }
  proxy.setWeather({ kind: 'clear' });
  await run(workshop, ['flush'], env);
  const list = commits.map((commit) => `'${commit}'`).join(', ');
  const [found] = await query(`
    select count(*) as rows, count(distinct commit_sha) as commits from deployments where commit_sha in (${list})`);
  return holds(
    'commands that could not report, after shipworthy flush',
    `${kept} of ${count} kept; ${String(found?.rows)} records of ${String(found?.commits)} commits`,
    `all kept, ${count} records of ${count} commits`,
    kept === count && Number(found?.rows) === count && Number(found?.commits) === count,
  );
};
