import { forgetPeak, memoryOf } from '../../process/memory.js';
import type { Workshop } from '../../process/workshop.js';
import { firstPerson } from '../../subject/person.js';
import { createKey, createProject, createTeam, type Project } from '../../subject/project.js';
import { type Shipworthy, startShipworthy } from '../../subject/shipworthy.js';
import { type Watch, watchReport } from './watch.js';

const HOUR_MS = 3_600_000;

/** A server that much too much is asked of, and somebody else who only wants to read a report. */
export interface Besieged {
  readonly server: Shipworthy;
  /** What is reported goes here. */
  readonly project: Project;
  /** Of those who ask too much. */
  readonly key: string;
  /** Reads the report of another project at a steady rate. */
  watchReport(): Watch;
  /** The most memory the server took since this was last asked, in MB; null where the system does not tell. */
  peak(): number | null;
  isAlive(): boolean;
}

/** @param settings of the server beside the usual ones */
export const besiege = async (
  workshop: Workshop,
  databaseUrl: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<Besieged> => {
  const server = await startShipworthy(workshop, databaseUrl, settings);
  const person = await firstPerson(server);
  const teamId = await createTeam(person);
  const project = await createProject(person, teamId, 'checkout', Date.now() - HOUR_MS);
  const calm = await createProject(person, teamId, 'ledger', Date.now() - HOUR_MS);
  const [key, readerKey] = [await createKey(person), await createKey(person)];
  forgetPeak(server.pid);
  return {
    server,
    project,
    key,
    watchReport: () => watchReport(server.port, calm, readerKey),
    peak: () => {
      const memory = memoryOf(server.pid);
      forgetPeak(server.pid);
      return memory?.peak ?? null;
    },
    isAlive: () => {
      try {
        return process.kill(server.pid, 0);
      } catch {
        return false;
      }
    },
  };
};
