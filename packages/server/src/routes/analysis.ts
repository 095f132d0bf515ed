import { type Ports, type Principal, type ReleaseAnalysis, readAnalysis, type Step } from '@shipworthy/domain';
import { safeFileName } from '../http/content-disposition.js';
import type { OperationOf, Route, Routes } from '../http/route.js';
import { wireAnalysis } from '../wire/analysis.js';
import { progressTable, releasesTable } from '../wire/analysis-table.js';
import { momentOrNull } from '../wire/moment.js';

interface Asked {
  readonly ports: Ports;
  readonly principal: Principal;
  readonly place: { readonly teamId: string; readonly projectId: string; readonly releaseId: string };
}

interface Sent {
  readonly from?: string;
  readonly to?: string;
  readonly step?: Step;
}

const analysisOf = ({ ports, principal, place }: Asked, { from, to, step = 'day' }: Sent): Promise<ReleaseAnalysis> => {
  const { teamId, projectId, releaseId } = place;
  const span = { from: momentOrNull(from), to: momentOrNull(to), step };
  return readAnalysis(ports)({ principal, teamId, projectId, releaseId, ...span });
};

const read: Route<OperationOf<'readAnalysis'>> = async ({ query }, context) => ({
  status: 200,
  body: { data: wireAnalysis(await analysisOf(context, query)) },
});

const TABLES = { progress: progressTable, releases: releasesTable };

const exportTable: Route<OperationOf<'exportAnalysis'>> = async (
  { query: { table = 'progress', ...span } },
  context,
) => {
  const analysis = await analysisOf(context, span);
  const fileName = `${safeFileName(analysis.release.name)}-${table}.csv`;
  return { status: 200, text: TABLES[table](analysis), fileName };
};

/** How a release came to be what it is; beside its score and never in it. */
export const analysisRoutes = { readAnalysis: read, exportAnalysis: exportTable } as const satisfies Partial<Routes>;
