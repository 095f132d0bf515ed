import type { Operation } from '@shipworthy/client/contract';
import {
  type AxisReport,
  type ChecklistItem,
  type Delivery,
  type Deployment,
  type Issue,
  notFound,
  type Principal,
  type Role,
  seesProject,
  type TestRun,
  type Webhook,
} from '@shipworthy/domain';
import type { Ports } from '@shipworthy/domain/ports';
import { Problem } from './problem.js';
import { BoundedMap } from './rate-limit.js';

/** The resolved parts of a path; only those of its parameters are present. */
export interface ResolvedPath {
  teamId?: string;
  role?: Role;
  projectId?: string;
  releaseId?: string;
  issue?: Issue;
  item?: ChecklistItem;
  evidence?: ChecklistItem['evidence'][number];
  waiver?: Awaited<ReturnType<Ports['stores']['waivers']['ofRelease']>>[number];
  testRun?: TestRun;
  report?: AxisReport;
  webhook?: Webhook;
  delivery?: Delivery;
  deployment?: Deployment;
}

type PathValues = Readonly<Record<string, string>>;
type PathStep = (place: ResolvedPath, id: string, principal: Principal) => void | Promise<void>;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Size of each of two caches: the team of a project, and the project of a release. Neither ever changes. */
const REMEMBERED = 20_000;

const found = <Noun>(noun: Noun | undefined, belongs: (noun: Noun) => boolean, what: string): Noun => {
  if (noun === undefined || !belongs(noun)) throw notFound(what);
  return noun;
};

const teamInSight: PathStep = (place, id, { roles }) => {
  const role = roles.get(id);
  if (role === undefined) throw notFound('team');
  place.teamId = id;
  place.role = role;
};

/**
 * Finds what the path of an operation names, step by step from the team inwards, and refuses with the same answer what does
 * not exist and what the principal may not see. Which team a project belongs to and which project a release belongs to never
 * changes: it is read once and then remembered.
 */
export const createVisibility = ({ stores, lookups }: Pick<Ports, 'stores' | 'lookups'>) => {
  const teamOf = new BoundedMap<string, string>(REMEMBERED);
  const projectOf = new BoundedMap<string, string>(REMEMBERED);

  const teamOfProject = async (projectId: string): Promise<string | undefined> => {
    const known = teamOf.use(projectId);
    if (known !== undefined) return known;
    const project = await stores.projects.byId(projectId);
    if (project !== undefined) teamOf.set(projectId, project.teamId);
    return project?.teamId;
  };

  const projectOfRelease = async (releaseId: string): Promise<string | undefined> => {
    const known = projectOf.use(releaseId);
    if (known !== undefined) return known;
    const release = await stores.releases.byId(releaseId);
    if (release !== undefined) projectOf.set(releaseId, release.projectId);
    return release?.projectId;
  };

  const steps: Readonly<Record<string, PathStep>> = {
    team_id: teamInSight,
    project_id: (place, id, { home }) => {
      // A key of one project sees no other.
      if ((home?.projectId ?? id) !== id) throw notFound('project');
      place.projectId = id;
      if (teamOf.get(id) === place.teamId) return;
      return teamOfProject(id).then((teamId) => void found(teamId, (team) => team === place.teamId, 'project'));
    },
    release_id: (place, id) => {
      place.releaseId = id;
      if (projectOf.get(id) === place.projectId) return;
      return projectOfRelease(id).then((of) => void found(of, (project) => project === place.projectId, 'release'));
    },
    issue_id: async (place, id) => {
      const issue = await stores.issues.byId(id);
      place.issue = found(issue, ({ projectId }) => projectId === place.projectId, 'issue');
    },
    test_run_id: async (place, id) => {
      const run = await stores.testRuns.byId(id);
      place.testRun = found(run, ({ projectId }) => projectId === place.projectId, 'test run');
    },
    report_id: async (place, id) => {
      const [report] = await stores.axisReports.byIds([id]);
      place.report = found(report, ({ projectId }) => projectId === place.projectId, 'report');
    },
    webhook_id: async (place, id) => {
      const webhook = await stores.webhooks.byId(id);
      place.webhook = found(webhook, ({ projectId }) => projectId === place.projectId, 'webhook');
    },
    delivery_id: async (place, id) => {
      const delivery = await stores.webhooks.delivery(place.webhook?.id ?? '', id);
      place.delivery = found(delivery, () => true, 'delivery');
    },
    item_id: async (place, id) => {
      const item = await stores.checklists.byId(id);
      place.item = found(item, ({ releaseId }) => releaseId === place.releaseId, 'checklist item');
    },
    evidence_id: (place, id) => {
      place.evidence = found(
        place.item?.evidence.find((evidence) => evidence.id === id),
        () => true,
        'evidence',
      );
    },
    waiver_id: async (place, id) => {
      const waivers = await stores.waivers.ofRelease(place.releaseId ?? '');
      place.waiver = found(
        waivers.find((waiver) => waiver.id === id),
        () => true,
        'waiver',
      );
    },
    deployment_id: async (place, id, principal) => {
      const deployment = await lookups.deployment(id);
      const teamId = deployment && (await teamOfProject(deployment.projectId));
      place.deployment = found(
        deployment,
        ({ projectId }) => seesProject(principal, { id: projectId, teamId: teamId ?? '' }),
        'deployment',
      );
      if (teamId !== undefined) teamInSight(place, teamId, principal);
    },
  };

  return (operation: Operation) => {
    const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    const ids = names.filter((name) => operation.parameters?.[name] === undefined);
    const order = ids.flatMap((name) => {
      const step = steps[name];
      return step === undefined ? [] : [{ name, step }];
    });
    const walk = async (
      place: ResolvedPath,
      path: PathValues,
      principal: Principal,
      from: number,
    ): Promise<ResolvedPath> => {
      for (const { name, step } of order.slice(from)) await step(place, path[name] ?? '', principal);
      return place;
    };
    return (path: PathValues, principal: Principal | null): ResolvedPath | Promise<ResolvedPath> => {
      const place: ResolvedPath = {};
      for (const name of ids) checkId(name, path[name] ?? '');
      // Without a principal the operation itself decides what may be seen.
      if (principal === null) return place;
      let taken = 0;
      for (const { name, step } of order) {
        taken += 1;
        const waiting = step(place, path[name] ?? '', principal);
        if (waiting !== undefined) return waiting.then(() => walk(place, path, principal, taken));
      }
      return place;
    };
  };
};

const checkId = (name: string, value: string): void => {
  if (UUID.test(value)) return;
  throw new Problem(
    'not-found',
    `There is no such ${name.slice(0, -3).replaceAll('_', ' ')}: ids are UUIDs; the slugs of browser addresses are not ids.`,
  );
};
