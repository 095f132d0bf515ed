import type { Operation } from '@shipworthy/client/contract';
import type { Project, Release, Team } from '@shipworthy/domain';
import type { Caller } from './caller.js';
import { inMemory, type OpenStores } from './openings.js';
import { type Service, startService } from './service.js';
import { createTestHost, type TestHost } from './test-host.js';
import { createWorld, type Person, type World } from './world.js';

/** A service in use: a team with its owner, a project named checkout with its active release 2.4, and a pipeline's key. */
export interface Stage {
  /** The repository host the service is set up with. */
  readonly forge: TestHost;
  readonly service: Service;
  readonly world: World;
  readonly ada: Person;
  readonly team: Team;
  readonly project: Project;
  readonly release: Release;
  /** Holds every scope. */
  readonly pipeline: Caller;
  /** The owner's browser. */
  readonly browser: Caller;
  /** Path parameters of the project and of the release. */
  readonly inProject: { readonly team_id: string; readonly project_id: string };
  readonly inRelease: { readonly team_id: string; readonly project_id: string; readonly release_id: string };
}

/** Starts a service that is set up with a repository host, and sets the stage. */
export const setStage = async (open: OpenStores = inMemory, hostName = 'github'): Promise<Stage> => {
  const forge = createTestHost(hostName);
  const service = await startService(await open(), { repositoryHost: forge.host });
  try {
    return await stageOn(service, forge);
  } catch (error) {
    // A service left open would keep the process of the tests from ending.
    await service.close();
    throw error;
  }
};

/** Sets the stage on a service that runs. */
export const stageOn = async (service: Service, forge: TestHost): Promise<Stage> => {
  const world = createWorld(service.ports);
  const ada = await world.person('Ada');
  const team = await world.team(ada, 'Payments');
  const project = await world.project(ada, team, 'checkout');
  const release = await world.release(ada, project, '2.4');
  const inProject = { team_id: team.id, project_id: project.id };
  return {
    forge,
    service,
    world,
    ada,
    team,
    project,
    release,
    pipeline: service.withKey(await world.key(ada)),
    browser: service.signedIn(ada),
    inProject,
    inRelease: { ...inProject, release_id: release.id },
  };
};

/** The headers by which Ada may call the operation: her session, a new key of hers, or none. */
export const credentialsOf = async (
  { auth }: Operation,
  { service, world, ada }: Stage,
): Promise<Record<string, string>> => {
  if (auth.kind === 'key') return { authorization: `Bearer ${await world.key(ada)}` };
  return auth.kind === 'session' ? { cookie: `shipworthy_session=${ada.secret}`, origin: service.baseUrl } : {};
};

/** The stage of a suite, set before its first test and cleared after its last. */
export const useStage = (open?: OpenStores): (() => Stage) => {
  let stage: Stage | undefined;
  before(async () => {
    stage = await setStage(open);
  });
  after(() => stage?.service.close());
  return () => {
    if (stage === undefined) throw new Error('The stage is not set yet.');
    return stage;
  };
};

/** A stage of its own for every test. */
export const useFreshStage = (open?: OpenStores, hostName?: string): (() => Stage) => {
  let stage: Stage | undefined;
  beforeEach(async () => {
    stage = await setStage(open, hostName);
  });
  afterEach(() => stage?.service.close());
  return () => {
    if (stage === undefined) throw new Error('The stage is not set yet.');
    return stage;
  };
};
