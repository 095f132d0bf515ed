import { nextMessage, startChild } from '../process/child.js';
import type { Workshop } from '../process/workshop.js';
import type { HostReadingOrder, PlainReading } from './host-reading.js';

/** The program of the bare Koa; its arguments are the way it answers, its port, and headers. */
export const KOA = new URL('./koa-main.js', import.meta.url).href;

/** The columns of a deployment, the same as the service's own; no index but the primary key, no foreign key. */
export const DEPLOYMENT_COLUMNS = [
  'id',
  'project_id',
  'app_name',
  'environment',
  'commit_sha',
  'version',
  'deployed_by',
  'status',
  'url',
  'started_at',
  'finished_at',
  'duration_seconds',
  'created_at',
  'external_id',
  'external_fingerprint',
  'is_return',
  'late',
] as const;

/** Starts the server that does nothing but store each request as a row of that database; returns its port. */
export const startInsert = (workshop: Workshop, database: string): Promise<number> => {
  const program = new URL('./insert-main.js', import.meta.url).href;
  return nextMessage<number>(startChild(workshop, { program, args: [database] }));
};

/** Starts the bare Koa that answers each request with 304 and those headers; returns its port. */
export const startNotModified = (workshop: Workshop, headers: Readonly<Record<string, string>>): Promise<number> =>
  nextMessage<number>(startChild(workshop, { program: KOA, args: ['not-modified', '0', JSON.stringify(headers)] }));

/** Starts the bare Koa that answers what it is sent; returns its port and the id of its process. */
export const startEcho = async (workshop: Workshop): Promise<{ readonly port: number; readonly pid: number }> => {
  const child = startChild(workshop, { program: KOA, args: ['echo'] });
  return { port: await nextMessage<number>(child), pid: child.process.pid ?? 0 };
};

/** Reads a repository of the host in a process of its own, once. */
export const readPlainly = (workshop: Workshop, order: HostReadingOrder): Promise<PlainReading> => {
  const program = new URL('./host-reading-main.js', import.meta.url).href;
  return nextMessage<PlainReading>(startChild(workshop, { program, args: [JSON.stringify(order)] }));
};
