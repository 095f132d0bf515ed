import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { countWords } from '../../page/wording.js';
import { endBy } from '../../process/child.js';
import type { Workshop } from '../../process/workshop.js';
import type { Query } from '../../read-back/query.js';
import { readinessPath } from '../../subject/requests.js';
import { standingServer } from '../../subject/shipworthy.js';
import { type FaultLine, holds, missedWords } from '../fault-programme.js';
import { startCrew } from '../reporters/crew.js';
import { readBack } from '../reporters/read-back.js';
import { type Scene, setUpScene } from '../reporters/scene.js';
import { PATIENCE_MS, REPORTERS } from './backup-under-load.js';

const LATEST_KILL_MS = 1_200;

/** Everything of a report but the moment it was computed at. */
const reportWords = async (port: number, { project, key }: Scene): Promise<string> => {
  const response = await fetch(`http://127.0.0.1:${port}${readinessPath(project)}`, {
    headers: { authorization: `Bearer ${key}` },
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`The report was answered ${response.status}: ${text}`);
  const moments = ['as_of', 'computed_at'];
  return JSON.stringify(JSON.parse(text), (name, value: unknown) => (moments.includes(name) ? undefined : value));
};

/** 0 also while there is no such table yet. */
const usersIn = async (query: Query): Promise<number> => {
  const [table] = await query(`select count(to_regclass('users')) as there`);
  if (Number(table?.there) === 0) return 0;
  const [users] = await query('select count(*) as rows from users');
  return Number(users?.rows);
};

/**
 * Copies a database that was reported to from SQLite to PostgreSQL: first killed in the middle so many times, then once to
 * the end; a server on the copy tells the same report.
 */
export const copyAcross = async (
  workshop: Workshop,
  target: { readonly url: string; readonly query: Query },
  load: { readonly ms: number; readonly kills: number },
): Promise<readonly FaultLine[]> => {
  const secret = {
    SHIPWORTHY_SECRET_KEY: randomBytes(48).toString('base64'),
    SHIPWORTHY_COPY_TO_URL: target.url,
  };
  const source = await standingServer(workshop, `sqlite:${workshop.path('source.sqlite')}`, secret);
  await source.start();
  const scene = await setUpScene(source, REPORTERS);
  const crew = startCrew({ scene, ports: [source.port], reporters: REPORTERS, patienceMs: PATIENCE_MS, pauseMs: 20 });
  await pause(load.ms);
  await crew.stop(PATIENCE_MS);
  const before = await reportWords(source.port, scene);
  await source.end('SIGTERM');

  let kills = 0;
  // Once there is anything at the target it has to be all, which is looked at below: nothing is copied a second time.
  while (kills < load.kills && (await usersIn(target.query)) === 0) {
    kills += 1;
    const copying = source.begin('copy-to').process;
    await pause((LATEST_KILL_MS * kills) / load.kills);
    await endBy(copying, 'SIGKILL');
  }
  if ((await usersIn(target.query)) === 0) await source.command('copy-to');
  const copy = await standingServer(workshop, target.url, secret);
  await copy.start();
  const after = await reportWords(copy.port, scene);
  const lines = await readBack(target.query, copy.port, scene, crew.ledger);
  await copy.end('SIGTERM');
  const broken = missedWords(lines);
  const what = `SQLite copied to PostgreSQL, killed in the middle ${kills} times before`;
  const all = `${countWords(crew.ledger.acknowledged)} changes, all there once`;
  return [
    holds(`${what}: the report of either`, before === after ? 'the same' : 'another one', 'the same', before === after),
    holds(
      `${what}: what was acknowledged, counts and report`,
      broken.length === 0 ? all : broken.join('; '),
      'all there once',
      broken.length === 0,
    ),
  ];
};
