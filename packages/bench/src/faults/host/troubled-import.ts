import { setTimeout as pause } from 'node:timers/promises';
import type { Fault } from '@shipworthy/adapters/test-host';
import type { Host } from '../../host/host-process.js';
import type { Person } from '../../subject/person.js';
import type { StandingServer } from '../../subject/shipworthy.js';

const PATIENCE_MS = 240_000;
const FAULT_FOR_MS = 150;
const CALM_FOR_MS = 350;

/** What befalls an import on its way, in turns; each for a few requests, then the host is well for a moment. */
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

/** What an import went through. */
export interface Troubles {
  readonly faults: number;
  readonly kills: number;
  /** How often somebody asked for it again because it had failed. */
  readonly hurried: number;
  readonly milliseconds: number;
}

/**
 * Waits until an import has gone through while the host fails again and again, and the server is killed so many times.
 * After each failure somebody asks for the import again, as the page offers: unasked it comes by itself after minutes.
 * @throws Error when it is stopped for good, or takes too long
 */
export const importThroughTroubles = async (
  host: Host,
  server: StandingServer,
  person: Person,
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
