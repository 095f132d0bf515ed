import {
  DomainError,
  type Ports,
  type Principal,
  type Readiness,
  type ReleaseRevision,
  readReadiness,
} from '@shipworthy/domain';
import type { OperationOf, Route, Routes } from '../http/route.js';
import type { ReportCache } from '../readiness/report-cache.js';
import { type Judged, wireGateReport, wireReport } from '../wire/readiness.js';

type View = 'live' | 'frozen';

/** Which report of which release is asked for, and in which form. */
interface Asked {
  readonly ports: Ports;
  readonly principal: Principal;
  readonly teamId: string;
  readonly projectId: string;
  readonly releaseId: string;
  readonly view: View | undefined;
  readonly form: 'readiness' | 'gate';
  /** The release's revision, where finding the release told it. */
  readonly seen?: ReleaseRevision;
}

const FORMS: { readonly [form in Asked['form']]: (judged: Judged) => unknown } = {
  readiness: wireReport,
  gate: wireGateReport,
};

/** The cache of reports made ready: an unchanged report is answered without being read or computed again. */
const createReader =
  (reports: ReportCache) =>
  async ({ ports, view, form, seen, ...path }: Asked) => {
    // A release that has not shipped has no frozen report: both views are then the live one, under one name.
    const wanted = view === 'live' ? 'live' : null;
    const make = async () => {
      const readiness: Readiness = await readReadiness(ports)({ ...path, view: wanted });
      return { body: { data: FORMS[form](readiness) }, revision: readiness.revision, until: readiness.until };
    };
    const { text, etag } = await reports.read(path.releaseId, `${form} ${wanted ?? 'frozen'}`, make, seen);
    return { status: 200, text, etag } as const;
  };

/** The readiness report and the ship gate alone. */
export const readinessRoutes = (reports: ReportCache) => {
  const reader = createReader(reports);

  const readActive: Route<OperationOf<'readActiveReadiness'>> = async (_, { ports, principal, place }) => {
    const { teamId, projectId } = place;
    const seen = await ports.lookups.activeRevision(projectId);
    if (seen === undefined) throw new DomainError('no-active-release', 'No release of this project is active.');
    const { releaseId } = seen;
    return reader({ ports, principal, teamId, projectId, releaseId, view: undefined, form: 'readiness', seen });
  };

  const read: Route<OperationOf<'readReadiness'>> = ({ query: { view } }, { ports, principal, place }) => {
    const { teamId, projectId, releaseId } = place;
    return reader({ ports, principal, teamId, projectId, releaseId, view, form: 'readiness' });
  };

  const readGate: Route<OperationOf<'readGate'>> = ({ query: { view } }, { ports, principal, place }) => {
    const { teamId, projectId, releaseId } = place;
    return reader({ ports, principal, teamId, projectId, releaseId, view, form: 'gate' });
  };

  return { readActiveReadiness: readActive, readReadiness: read, readGate } as const satisfies Partial<Routes>;
};
