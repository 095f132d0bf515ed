import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { DEPLOYMENT_COLUMNS } from '../baseline/deployment-columns.js';
import type { Project } from './project.js';

const MINUTE_MS = 60_000;
const CHUNK = 2_000;
const ENVIRONMENTS = ['production', 'eu-production', 'staging'];

/** The same past deployments in two files: as the command takes them, and as COPY takes them. */
export interface PastFiles {
  readonly ndjson: string;
  readonly csv: string;
  /** How many started since the moment asked about. */
  readonly since: number;
}

const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0');

/** Ids that grow with time, as those of the service do. */
const idOf = (index: number): string =>
  `0190${hex(index, 8).slice(0, 4)}-${hex(index, 8).slice(4)}-7000-8000-${hex(index * 7919, 12)}`;

const recordOf = (name: string, index: number, startedAt: number) => ({
  app_name: name,
  environment: ENVIRONMENTS[index % ENVIRONMENTS.length] ?? 'production',
  commit_sha: `${hex(index, 8)}${hex(index * 31, 12)}${hex(index * 131, 20)}`,
  version: `4.${Math.floor(index / 1_000)}.${index % 1_000}`,
  deployed_by: 'ci',
  status: index % 25 === 0 ? 'failure' : 'success',
  started_at: new Date(startedAt).toISOString(),
  finished_at: new Date(startedAt + 90_000).toISOString(),
  duration_seconds: 90,
  external_id: `pipeline-${index}`,
});

/** Writes past deployments of a project, a minute apart, the last one an hour ago. @param since counts those from there on */
export const writePast = async (
  files: { readonly ndjson: string; readonly csv: string },
  project: Project,
  count: number,
  since: number,
): Promise<PastFiles> => {
  const [ndjson, csv] = [createWriteStream(files.ndjson), createWriteStream(files.csv)];
  const begin = Date.now() - 60 * MINUTE_MS - count * MINUTE_MS;
  let inside = 0;
  for (let from = 0; from < count; from += CHUNK) {
    let [lines, cells] = ['', ''];
    for (let index = from; index < Math.min(count, from + CHUNK); index += 1) {
      const startedAt = begin + index * MINUTE_MS;
      if (startedAt >= since) inside += 1;
      const record = recordOf(project.name, index, startedAt);
      lines += `${JSON.stringify(record)}\n`;
      const row: Readonly<Record<string, unknown>> = {
        ...record,
        id: idOf(index),
        project_id: project.id,
        created_at: record.finished_at,
        external_fingerprint: hex(index, 64),
        late: 0,
      };
      cells += `${DEPLOYMENT_COLUMNS.map((column) => row[column] ?? '').join(',')}\n`;
    }
    for (const [stream, text] of [
      [ndjson, lines],
      [csv, cells],
    ] as const)
      if (!stream.write(text)) await once(stream, 'drain');
  }
  for (const stream of [ndjson, csv]) {
    stream.end();
    await once(stream, 'close');
  }
  return { ...files, since: inside };
};
