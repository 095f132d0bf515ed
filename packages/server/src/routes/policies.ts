import type {
  PolicyRequest,
  Policy as WirePolicy,
  PolicyPreview as WirePreview,
  PolicyVersion as WireVersion,
} from '@shipworthy/client/contract';
import { notFound, type PageRequest } from '@shipworthy/domain';
import type { Ports } from '@shipworthy/domain/ports';
import { AXES, ownAxesForm, ownAxisOf, type Policy, type PolicyVersion } from '@shipworthy/domain/readiness';
import { changePolicy, type PolicyPreviewReading, readPolicyPreview } from '@shipworthy/domain/use-cases';
import { withCurrent } from '../http/problem.js';
import type { OperationOf, RouteHandler, Routes } from '../http/route.js';
import { wireMoment } from '../wire.js';
import { exportList, type TableColumns } from './csv.js';
import { actorOf, pageReply } from './replies.js';

export const wirePolicy = ({ policy, version }: Pick<PolicyVersion, 'policy' | 'version'>): WirePolicy => ({
  weights: { ...policy.weights },
  threshold: policy.threshold,
  minimums: { ...policy.minimums },
  required_axes: [...policy.requiredAxes],
  environments: policy.environments === null ? null : [...policy.environments],
  freshness_hours: policy.freshnessHours,
  verification: policy.verification,
  max_open_critical_bugs: policy.maxOpenCriticalBugs,
  min_finished_deployments: policy.minFinishedDeployments,
  stability_bound: policy.stabilityBound ?? 'rate',
  silence_hours: policy.silenceHours ?? null,
  ...(policy.ownAxes === undefined ? {} : { own_axes: ownAxesForm(policy) }),
  version,
});

/** A version of a policy, with who changed it and when. */
const wirePolicyVersion = (made: PolicyVersion): WireVersion => ({
  version: made.version,
  changed_at: wireMoment(made.changedAt),
  changed_by: made.changedBy,
  policy: wirePolicy(made),
});

/** Reads the policy of a request. Its `version` is ignored: `If-Match` decides. Members that were not sent stay out. */
export const sentPolicy = (sent: PolicyRequest): Policy => ({
  weights: sent.weights,
  threshold: sent.threshold,
  minimums: sent.minimums,
  requiredAxes: sent.required_axes,
  environments: sent.environments,
  freshnessHours: sent.freshness_hours,
  verification: sent.verification,
  maxOpenCriticalBugs: sent.max_open_critical_bugs,
  minFinishedDeployments: sent.min_finished_deployments,
  ...(sent.stability_bound === undefined ? {} : { stabilityBound: sent.stability_bound }),
  ...(sent.silence_hours === undefined ? {} : { silenceHours: sent.silence_hours }),
  ...(sent.own_axes === undefined ? {} : { ownAxes: (sent.own_axes ?? []).map(ownAxisOf) }),
});

/** The gate's decisions on the releases under another policy, in wire form. */
const wirePolicyPreview = (preview: PolicyPreviewReading): WirePreview => ({
  releases: preview.releases.map(({ release: { id, name, state }, before, after, flips }) => ({
    release: { id, name, state },
    before: { score: before.score, decision: before.decision },
    after: { score: after.score, decision: after.decision },
    flips,
  })),
  flips: preview.flips,
  would_have_held: preview.wouldHaveHeld.map(({ id }) => id),
  would_have_held_count: preview.heldCount,
  considered: preview.considered,
});

const read: RouteHandler<OperationOf<'readPolicy'>> = async (_, { ports, place }) => {
  const current = await ports.stores.policies.current(place.projectId);
  if (current === undefined) throw notFound('project');
  return { status: 200, body: { data: wirePolicy(current) } };
};

const replace: RouteHandler<OperationOf<'replacePolicy'>> = async ({ body, ifMatch: version }, context) => {
  const { teamId, projectId } = context.place;
  const policy = sentPolicy(body);
  const changed = changePolicy(context.ports, { by: actorOf(context), teamId, projectId, policy, version });
  return { status: 200, body: { data: wirePolicy(await withCurrent(wirePolicy, changed)) } };
};

/** A policy may be as long as a body: few versions are read at once, and no more exported than one caller has room for. */
const [VERSIONS_READ, MOST_VERSIONS] = [20, 500];

/** Reads a page of versions, of `VERSIONS_READ` rows at most. */
const readVersions =
  ({ stores, slices }: Ports, projectId: string) =>
  async (page: PageRequest) => {
    const limit = Math.min(page.limit, VERSIONS_READ);
    const { rows, next } = await stores.policies.versions(projectId, { ...page, limit });
    return { rows: await slices.map(rows, wirePolicyVersion), next };
  };

const versions: RouteHandler<OperationOf<'listPolicyVersions'>> = async (_, { ports, place, page, sealCursor }) => {
  const { rows, next } = await readVersions(ports, place.projectId)(page);
  return pageReply(rows, sealCursor(next));
};

/** A column for each of the five axes. */
const perAxis = (what: string, of: (policy: WirePolicy) => WirePolicy['weights']): TableColumns<WireVersion> =>
  Object.fromEntries(AXES.map((axis) => [`${what}_${axis}`, ({ policy }: WireVersion) => of(policy)[axis]]));

const COLUMNS: TableColumns<WireVersion> = {
  version: ({ version }) => version,
  changed_at: ({ changed_at }) => changed_at,
  changed_by: ({ changed_by }) => changed_by,
  threshold: ({ policy }) => policy.threshold,
  ...perAxis('weight', ({ weights }) => weights),
  ...perAxis('minimum', ({ minimums }) => minimums),
  required_axes: ({ policy }) => policy.required_axes.join(' '),
  environments: ({ policy }) => (policy.environments === null ? null : JSON.stringify(policy.environments)),
  freshness_hours: ({ policy }) => policy.freshness_hours,
  verification: ({ policy }) => policy.verification,
  max_open_critical_bugs: ({ policy }) => policy.max_open_critical_bugs,
  min_finished_deployments: ({ policy }) => policy.min_finished_deployments,
  stability_bound: ({ policy }) => policy.stability_bound,
  silence_hours: ({ policy }) => policy.silence_hours,
  own_axes: ({ policy }) => (policy.own_axes === undefined ? null : JSON.stringify(policy.own_axes)),
};

const exportVersions: RouteHandler<OperationOf<'exportPolicyVersions'>> = async (_, { ports, place }) =>
  exportList({
    name: 'policy-versions',
    columns: COLUMNS,
    slices: ports.slices,
    most: MOST_VERSIONS,
    readPage: readVersions(ports, place.projectId),
  });

const preview: RouteHandler<OperationOf<'previewPolicy'>> = async ({ body }, { ports, principal, place }) => {
  const { teamId, projectId } = place;
  const reading = await readPolicyPreview(ports, { principal, teamId, projectId, policy: sentPolicy(body) });
  return { status: 200, body: { data: wirePolicyPreview(reading) } };
};

/** The routes of policies and their preview. */
export const policyRoutes = {
  readPolicy: read,
  replacePolicy: replace,
  listPolicyVersions: versions,
  exportPolicyVersions: exportVersions,
  previewPolicy: preview,
} as const satisfies Partial<Routes>;
