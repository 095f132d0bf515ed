import { randomBytes } from 'node:crypto';
import { type SendLoad, startLoadProcess } from '../load/load-process.js';
import { alternate } from '../measure/alternate.js';
import { type Line, lineOf, type RowResult } from '../measure/line.js';
import { countWords } from '../page/wording.js';
import type { Workshop } from '../process/workshop.js';
import type { Query } from '../read-back/query.js';
import type { Storage } from '../read-back/storage.js';
import { countedDeployments, requireRemembered, requireStoredOnce } from '../read-back/stored-deployments.js';
import { firstPerson } from '../subject/person.js';
import { createKey, createProject, createTeam } from '../subject/project.js';
import { readReport } from '../subject/report.js';
import { deploymentRequest } from '../subject/requests.js';
import { startShipworthy } from '../subject/shipworthy.js';
import type { RunSize } from './row.js';

const HOUR_MS = 3_600_000;
const APP = 'checkout';

interface Contestant {
  /** Puts the server under load for so many seconds; deployments per second, each of them found again afterwards. */
  load(seconds: number): Promise<number>;
  verified(): number;
}

const contestant = (
  send: SendLoad,
  size: RunSize,
  server: { readonly port: number; readonly key: string },
  check: (commits: string, answered: number) => Promise<void>,
): Contestant => {
  let verified = 0;
  return {
    verified: () => verified,
    load: async (seconds) => {
      const commits = randomBytes(12).toString('hex');
      const { answered, seconds: took } = await send({
        kind: 'closed loop',
        port: server.port,
        request: deploymentRequest(APP, server.key, commits),
        status: 201,
        connections: size.connections,
        seconds,
      });
      await check(commits, answered);
      verified += answered;
      return answered / took;
    },
  };
};

/** The server on an empty database with a project whose active release takes in what is deployed. */
const startSubject = async (workshop: Workshop, { databaseUrl, query }: Storage) => {
  const server = await startShipworthy(workshop, databaseUrl);
  const person = await firstPerson(server);
  const project = await createProject(person, await createTeam(person), APP, Date.now() - HOUR_MS);
  const key = await createKey(person);
  let remembered = 0;
  return {
    port: server.port,
    key,
    check: async (commits: string, answered: number): Promise<void> => {
      await requireStoredOnce(query, commits, answered);
      remembered += answered;
      await requireRemembered(query, remembered);
      const stored = await countedDeployments(query, project.id);
      const { deployments } = await readReport(server, project, key);
      if (deployments !== stored)
        throw new Error(`The report counts ${deployments} deployments, ${stored} are stored.`);
    },
  };
};

/** Durable writes of the server against a bare server that stores the same records, in turns; every record is read back. */
export const compareWrites = async (
  workshop: Workshop,
  size: RunSize,
  subject: Storage,
  baseline: { readonly port: number; readonly query: Query },
  about: Pick<Line, 'against' | 'aims' | 'whyMissed'>,
): Promise<RowResult> => {
  const send = startLoadProcess(workshop);
  const started = await startSubject(workshop, subject);
  const ours = contestant(send, size, started, started.check);
  const bare = contestant(send, size, { port: baseline.port, key: started.key }, (commits, answered) =>
    requireStoredOnce(baseline.query, commits, answered),
  );
  await bare.load(size.warmUpSeconds);
  await ours.load(size.warmUpSeconds);
  const rounds = await alternate(size.rounds, {
    bare: () => bare.load(size.seconds),
    ours: () => ours.load(size.seconds),
  });
  const what = 'POST /api/deployments, authenticated, validated, attributed, idempotent';
  const verifiedRecords = ours.verified() + bare.verified();
  return {
    lines: [lineOf(rounds, 'ours', 'bare', { what, unit: 'per second', ...about })],
    verifiedRecords,
    remarks: [
      `${size.connections} kept-alive connections, each with one request at a time; every request has an Idempotency-Key of its own.`,
      `Read back after the turns: ${countWords(verifiedRecords)} acknowledged records, each there exactly once; the server's remembered answers, kept counts and report agree with them.`,
    ],
  };
};
