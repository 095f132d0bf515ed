import type {
  Lookups,
  NameLookup,
  PlaceLookup,
  Project,
  ProjectMoment,
  Stores,
  TargetLookup,
} from '@shipworthy/domain';
import { type GroupCommitOptions, groupCommit } from './group-commit.js';

type CoalescedStores = Pick<Stores, 'projects' | 'releases' | 'testRuns' | 'deployments' | 'facts' | 'eventSources'>;

/** Asks for each key once, however many ask for it. */
const distinct =
  <Found>(read: (keys: readonly string[]) => Promise<readonly Found[]>) =>
  async (keys: readonly string[]): Promise<readonly Found[]> => {
    const places = new Map([...new Set(keys)].map((key, place) => [key, place]));
    const found = await read([...places.keys()]);
    return keys.map((key) => found[places.get(key) ?? -1] as Found);
  };

/** The projects of each team. */
const byTeam =
  (projects: Stores['projects']) =>
  async (teamIds: readonly string[]): Promise<readonly (readonly Project[])[]> => {
    const found = await projects.ofTeams(teamIds);
    return teamIds.map((id) => found.filter(({ teamId }) => teamId === id));
  };

/** The hot reads one at a time: those that arrive together share one query, and a second one may be under way meanwhile. */
export const lookups = (
  { projects, releases, testRuns, deployments, facts, eventSources }: CoalescedStores,
  options: GroupCommitOptions = { lanes: 2 },
): Lookups => ({
  namedProject: groupCommit((items: readonly NameLookup[]) => projects.named(items), options).submit,
  projectAt: groupCommit((items: readonly ProjectMoment[]) => projects.at(items), options).submit,
  teamProjects: groupCommit(distinct(byTeam(projects)), options).submit,
  sourceProjects: groupCommit(
    distinct((items) => eventSources.projectsOf(items)),
    options,
  ).submit,
  testRunTarget: groupCommit((items: readonly TargetLookup[]) => testRuns.targets(items), options).submit,
  deployment: groupCommit((items: readonly string[]) => deployments.byIds(items), options).submit,
  testRun: groupCommit((items: readonly string[]) => testRuns.byIds(items), options).submit,
  runBefore: groupCommit((items: readonly PlaceLookup[]) => testRuns.before(items), options).submit,
  dossier: groupCommit(
    distinct((items) => facts.factsFor(items)),
    options,
  ).submit,
  frozen: groupCommit(
    distinct((items) => releases.frozenOf(items)),
    options,
  ).submit,
  revision: groupCommit((items: readonly string[]) => facts.revisions(items), options).submit,
  activeRevision: groupCommit((items: readonly string[]) => facts.activeRevisions(items), options).submit,
});
