import type { Project } from './project.js';
import { readinessPath } from './requests.js';
import type { Shipworthy } from './shipworthy.js';

/** What is needed of a readiness report and its answer. */
export interface ReadReport {
  /** Deployments that count: succeeded, failed and in progress together. */
  readonly deployments: number;
  readonly etag: string;
  /** Bytes of the body. */
  readonly size: number;
}

interface Stability {
  readonly axis: string;
  readonly facts: { readonly succeeded: number; readonly failed: number; readonly in_progress: number };
}

/** Reads the report of the active release. @throws Error on any answer but 200 with an ETag */
export const readReport = async ({ port }: Shipworthy, project: Project, key: string): Promise<ReadReport> => {
  const response = await fetch(`http://127.0.0.1:${port}${readinessPath(project)}`, {
    headers: { authorization: `Bearer ${key}` },
  });
  const text = await response.text();
  const etag = response.headers.get('etag');
  if (response.status !== 200 || etag === null) throw new Error(`The report was answered ${response.status}: ${text}`);
  const { data } = JSON.parse(text) as { data: { axes: readonly Stability[] } };
  const facts = data.axes.find(({ axis }) => axis === 'stability')?.facts;
  if (!facts) throw new Error(`The report has no facts about stability: ${text}`);
  return { deployments: facts.succeeded + facts.failed + facts.in_progress, etag, size: Buffer.byteLength(text) };
};
