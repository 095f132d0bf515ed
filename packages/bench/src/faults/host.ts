import { setTimeout as pause } from 'node:timers/promises';
import type { Fault } from '@shipworthy/adapters/test-host';
import { type Host, startHost } from '../host/host-process.js';
import type { Workshop } from '../process/workshop.js';
import {
  approveAtHost,
  hostSettings,
  projectToLink,
  requireCountedScope,
  requireImportedOnce,
} from '../subject/linked-repository.js';
import { createKey, setUpProject, setUpTeam } from '../subject/project.js';
import { firstPerson, type SignedInPerson, type StandingServer, standingServer } from '../subject/shipworthy.js';
import {
  type FaultLine,
  type FaultProgramme,
  type FaultSize,
  holds,
  type NamedStorage,
  storagesOf,
  tookAtMost,
} from './fault-programme.js';
import { seenLines, type WatchResult, watchReport } from './watch.js';

/** The answer to a check of the connection. */
interface Checked {
  readonly status: number;
  /** `ok`, `rejected`, or why the host is unavailable. */
  readonly word: string;
  /** Whether a refusal says when to come again. */
  readonly comesAgain: boolean;
  readonly milliseconds: number;
}

interface CheckBody {
  readonly status?: unknown;
  readonly cause?: unknown;
}

/** Asks the server whether the connection to the host still works. */
const checkConnection = async (port: number, key: string): Promise<Checked> => {
  const begin = performance.now();
  const response = await fetch(`http://127.0.0.1:${port}/api/settings/github/check`, {
    headers: { authorization: `Bearer ${key}` },
  });
  const { status, cause } = (await response.json()) as CheckBody;
  return {
    status: response.status,
    word: response.ok ? String(status) : String(cause),
    comesAgain: Number(response.headers.get('retry-after') ?? 0) >= 1,
    milliseconds: performance.now() - begin,
  };
};

const ANSWERS_WITHIN_MS = 5_000;
/** How many checks of the connection run at the same moment. */
const AT_ONCE = 3;

interface Finding {
  readonly title: string;
  readonly words: readonly string[];
  readonly longest: number;
  readonly isWrong: boolean;
  readonly after: string;
}

const faultOnce = async (host: Host, port: number, key: string, { title, fault }: HostFault): Promise<Finding> => {
  const befalls = fault();
  if (befalls === 'shut') await host.shut();
  else await host.inject(befalls);
  const checks = await Promise.all(Array.from({ length: AT_ONCE }, () => checkConnection(port, key)));
  if (befalls === 'shut') await host.open();
  else await host.calm();
  const after = await checkConnection(port, key);
  return {
    title,
    words: checks.map(({ word }) => word),
    longest: Math.max(...checks.map(({ milliseconds }) => milliseconds)),
    isWrong: !checks.every(({ status, word, comesAgain }) => status === 503 && word !== 'rejected' && comesAgain),
    after: after.word,
  };
};

/** Checks the connection under each fault and right after it. */
const checkUnderFaults = async (
  host: Host,
  port: number,
  key: string,
  faults: readonly HostFault[],
): Promise<{ readonly lines: readonly FaultLine[]; readonly remark: string }> => {
  const found: Finding[] = [];
  for (const fault of faults) found.push(await faultOnce(host, port, key, fault));
  const told = (titles: readonly string[], otherwise: string) => (titles.length === 0 ? otherwise : titles.join('; '));
  const wrong = found.filter(({ isWrong }) => isWrong).map(({ title, words }) => `${title}: ${words.join(', ')}`);
  const stuck = found.filter(({ after }) => after !== 'ok').map(({ title, after }) => `${title}: ${after}`);
  const kinds = new Set(faults.map(({ title }) => title)).size;
  const checks = `${found.length * AT_ONCE} checks under ${kinds} faults`;
  const words = [...new Set(found.flatMap((finding) => finding.words))];
  return {
    lines: [
      holds(
        checks,
        told(wrong, 'all unavailable'),
        '503 with its cause and Retry-After, never rejected',
        wrong.length === 0,
      ),
      tookAtMost(`${checks}: the longest`, Math.max(...found.map(({ longest }) => longest)), ANSWERS_WITHIN_MS),
      holds('The check right after each fault', told(stuck, 'ok'), 'ok', stuck.length === 0),
      holds(
        'The grant was shown to another origin',
        (await host.leaked()) ? 'yes' : 'no',
        'no',
        !(await host.leaked()),
      ),
    ],
    remark: `Causes that were told: ${words.join(', ')}.`,
  };
};

const SOON_MS = 2_000;
const JSON_TYPE = 'application/json; charset=utf-8';

/** A fault of a host: an error, or that it cannot be reached. */
interface HostFault {
  readonly title: string;
  readonly fault: () => Fault | 'shut';
  /** Set where the caller waits until its own time limit is over. */
  readonly waits?: true;
}

const answer = (status: number, body: string, type = JSON_TYPE): Fault => ({ kind: 'answer', status, type, body });

/** Everything a host may do wrong that does not mean that it refuses the grant. */
const HOST_FAULTS: readonly HostFault[] = [
  { title: 'slow by 20 s', fault: () => ({ kind: 'delay', ms: 20_000 }), waits: true },
  { title: 'answers byte by byte', fault: () => ({ kind: 'drip', ms: 500 }), waits: true },
  { title: 'answers without an end', fault: () => ({ kind: 'endless' }), waits: true },
  { title: 'takes the request and says nothing', fault: () => ({ kind: 'hang' }), waits: true },
  { title: 'cannot be reached', fault: () => 'shut' },
  { title: 'resets connections', fault: () => ({ kind: 'reset' }) },
  { title: 'breaks off its answers', fault: () => ({ kind: 'cut' }) },
  { title: 'ends JSON in the middle', fault: () => ({ kind: 'half-json' }) },
  { title: '500 in JSON', fault: () => ({ kind: 'error', status: 500 }) },
  { title: '502 as a page', fault: () => ({ kind: 'page', status: 502 }) },
  { title: '503 with Retry-After', fault: () => answer(503, '{"message":"Down for a moment"}') },
  { title: 'a page with 200', fault: () => ({ kind: 'page', status: 200 }) },
  { title: 'a page with 401, as a proxy in between gives', fault: () => ({ kind: 'page', status: 401 }) },
  { title: 'a page with 403', fault: () => ({ kind: 'page', status: 403 }) },
  { title: '407 in JSON', fault: () => answer(407, '{"message":"Proxy Authentication Required"}') },
  { title: 'JSON under another type', fault: () => answer(200, '{"id":1,"login":"ada"}', 'text/plain') },
  { title: 'a list where an object belongs', fault: () => answer(200, '[]') },
  { title: 'null', fault: () => answer(200, 'null') },
  { title: 'fields of other types', fault: () => answer(200, '{"id":"one","login":7}') },
  { title: 'brackets without an end', fault: () => answer(200, '['.repeat(100_000)) },
  { title: 'leads to another origin', fault: () => ({ kind: 'redirect-outside' }) },
  { title: 'leads in circles', fault: () => ({ kind: 'redirect-inside' }) },
  { title: 'its hourly limit is used up', fault: () => ({ kind: 'primary-limit', resetAt: Date.now() + SOON_MS }) },
  { title: '429 with Retry-After', fault: () => ({ kind: 'secondary-limit', retryAfterSeconds: 1 }) },
  { title: '403 with Retry-After', fault: () => ({ kind: 'secondary-limit', retryAfterSeconds: 1, status: 403 }) },
  { title: '403 that refuses in JSON', fault: () => ({ kind: 'error', status: 403 }) },
];

const PATIENCE_MS = 240_000;
const FAULT_FOR_MS = 150;
const CALM_FOR_MS = 350;

/** The faults during an import, in turns; each lasts for a few requests, then the host works for a moment. */
const TROUBLES: readonly Fault[] = [
  { kind: 'cut' },
  { kind: 'reset' },
  { kind: 'error', status: 502 },
  { kind: 'page', status: 200 },
  { kind: 'half-json' },
  { kind: 'delay', ms: 300 },
  { kind: 'redirect-outside' },
  { kind: 'answer', status: 200, type: 'application/json', body: '{"data":null}' },
  { kind: 'secondary-limit', retryAfterSeconds: 1 },
];

interface Link {
  readonly import: { readonly state: string; readonly completed_at: string | null };
}

/** The faults that an import met. */
interface Troubles {
  readonly faults: number;
  readonly kills: number;
  /** How often the import was asked for again because it had failed. */
  readonly hurried: number;
  readonly milliseconds: number;
}

/**
 * Waits until an import has gone through while the host fails again and again, and the server is killed so many times.
 * After each failure the import is asked for again, as a person can on the page: by itself it waits for minutes.
 * @throws Error when it is stopped for good, or takes too long
 */
const importThroughTroubles = async (
  host: Host,
  server: StandingServer,
  person: SignedInPerson,
  path: string,
  wanted: { readonly faults: number; readonly kills: number },
): Promise<Troubles> => {
  const begin = performance.now();
  const done = { faults: 0, kills: 0, hurried: 0 };
  const link = (): Promise<Link> => person.get<Link>(`${path}/repository`);
  const killEvery = wanted.kills === 0 ? Number.POSITIVE_INFINITY : Math.ceil(wanted.faults / wanted.kills);
  for (;;) {
    const { import: now } = await link();
    if (now.state === 'stopped') throw new Error('The import was stopped for good.');
    if (now.state === 'idle' && now.completed_at !== null) break;
    if (performance.now() - begin > PATIENCE_MS) throw new Error(`The import is still ${now.state}.`);
    if (now.state === 'failing') {
      await person.post(`${path}/issues/import`, {});
      done.hurried += 1;
    }
    if (done.faults >= wanted.faults) {
      await pause(CALM_FOR_MS);
      continue;
    }
    const trouble = TROUBLES[done.faults % TROUBLES.length];
    if (trouble !== undefined) await host.inject(trouble, { times: 3 });
    done.faults += 1;
    await pause(FAULT_FOR_MS);
    if (done.faults % killEvery === 0) {
      await server.end('SIGKILL');
      await server.start();
      done.kills += 1;
    }
    await host.calm();
    await pause(CALM_FOR_MS);
  }
  return { ...done, milliseconds: performance.now() - begin };
};

const HOUR_MS = 3_600_000;
const SLOWEST = 'takes the request and says nothing';

const SIZES = {
  full: { rounds: 3, quietSeconds: 5, issues: 5_000, deployments: 1_000, faults: 60, kills: 6 },
  short: { rounds: 0, quietSeconds: 1, issues: 300, deployments: 60, faults: 4, kills: 0 },
} as const;

/** All faults, `rounds` times. For 0 rounds each fault once, but of those with `waits` only SLOWEST. */
const faultsOf = (rounds: number): readonly HostFault[] => {
  const isShort = ({ title, waits }: HostFault) => waits === undefined || title === SLOWEST;
  return rounds === 0 ? HOST_FAULTS.filter(isShort) : Array.from({ length: rounds }, () => HOST_FAULTS).flat();
};

/** A server that is approved at the host, with a signed-in administrator. */
const approved = async (workshop: Workshop, host: Host, databaseUrl: string) => {
  const server = await standingServer(workshop, databaseUrl, hostSettings(host));
  await server.command('migrate');
  await server.start();
  const running = { ...server, pid: server.pid() };
  const person = await firstPerson(running);
  await approveAtHost(host, running, person);
  return { server, person, teamId: await setUpTeam(person) };
};

/** Reports are answered about as fast as without the fault; the tolerance is a few milliseconds. */
const usualSpeed = (quiet: WatchResult, { p50 }: WatchResult): FaultLine => {
  const most = Math.max(20, 2 * quiet.p50);
  const aim = `<= ${most.toFixed(0)} ms (${quiet.p50.toFixed(1)} ms while all is well)`;
  return { what: 'Its median', measured: `${p50.toFixed(1)} ms`, aim, met: p50 <= most, timed: true };
};

const checks = async (workshop: Workshop, host: Host, size: FaultSize) => {
  const { rounds, quietSeconds } = SIZES[size];
  const databaseUrl = `sqlite:${workshop.path('checks.sqlite')}`;
  const { server, person, teamId } = await approved(workshop, host, databaseUrl);
  const project = await setUpProject(person, teamId, 'ledger', Date.now() - HOUR_MS);
  const key = await createKey(person);
  const reading = () => watchReport(server.port, project, key);
  const quietly = reading();
  await pause(quietSeconds * 1_000);
  const quiet = await quietly.end();
  const readingUntilEnd = reading();
  const checked = await checkUnderFaults(host, server.port, key, faultsOf(rounds));
  const seen = await readingUntilEnd.end();
  await host.revoke();
  const refused = await checkConnection(server.port, key);
  await server.end('SIGTERM');
  const what = 'The check once the host itself refuses the grant';
  return {
    lines: [
      ...checked.lines,
      holds(what, refused.word, 'rejected', refused.word === 'rejected'),
      ...seenLines('A report read 20 times a second all the while', seen),
      usualSpeed(quiet, seen),
    ],
    remark: checked.remark,
  };
};

const imports = async (
  workshop: Workshop,
  host: Host,
  { title, databaseUrl, query }: NamedStorage,
  size: FaultSize,
) => {
  const { issues, deployments, faults, kills } = SIZES[size];
  const path = `acme/${title.toLowerCase()}`;
  await host.fill({ path, issues, deployments });
  const { server, person, teamId } = await approved(workshop, host, databaseUrl);
  const project = await projectToLink(person, teamId);
  const settings = { repository: path, milestones: 'all', deployments: true, test_runs: 'none' };
  await person.put(`${project.path}/repository`, settings);
  const troubles = await importThroughTroubles(host, server, person, project.path, { faults, kills });
  const world = await host.count(path);
  const wrong = await requireImportedOnce(query, project.id, world)
    .then(() => requireCountedScope(person, project, world))
    .then(() => null)
    .catch((error: Error) => error.message);
  await server.end('SIGTERM');
  const seconds = Math.round(troubles.milliseconds / 1_000);
  const stored = `${world.issues + world.deployments} rows, each once, and every scope as the host counts it; ${seconds} s`;
  const what = `${title}: an import through ${troubles.faults} faults of the host and ${troubles.kills} kills of the server (asked for again ${troubles.hurried} times)`;
  return holds(what, wrong ?? stored, 'all rows once', wrong === null);
};

const run = async (size: FaultSize, workshop: Workshop) => {
  const host = await startHost(workshop);
  const checked = await checks(workshop, host, size);
  const lines: FaultLine[] = [...checked.lines];
  for (const storage of await storagesOf(size, workshop)) lines.push(await imports(workshop, host, storage, size));
  return { lines, remarks: [checked.remark] };
};

/** A repository host that is slow, fails and lies. */
export const host: FaultProgramme = { name: 'host', title: 'A repository host that is slow, fails and lies', run };
