import type {
  ConfiguredHost,
  HostAccess,
  HostReading,
  HostReadRequest,
  RepositoryIdentity,
} from '@shipworthy/domain/ports';
import { gitlabHost } from '../../src/gitlab/gitlab-host.js';
import { grantSeals } from '../../src/host-http/host-secrets.js';
import { type GitlabServer, gitlabServer } from '../gitlab-server/gitlab-server.js';
import { newPair } from '../gitlab-server/oauth.js';
import { type Project, REGISTERED } from '../gitlab-server/world.js';

export const SECRET_KEY = new Uint8Array(32).fill(7);
export const REDIRECT = REGISTERED;
const OWNER = 'user-1';

/** An adapter and the server it talks to. */
export interface Opened {
  readonly server: GitlabServer;
  readonly host: ConfiguredHost;
  /** With a new grant of `ada`. */
  access(ms?: number): HostAccess;
}

/** Opens one for the tests of the surrounding `describe`, anew for each test. */
export const openedForEach = (): (() => Opened) => {
  let opened: Opened | undefined;
  beforeEach(async () => {
    const server = await gitlabServer();
    const { clientId, clientSecret } = server.world;
    const host = gitlabHost({ clientId, clientSecret, url: server.url, secretKey: SECRET_KEY });
    const seals = grantSeals(SECRET_KEY, 'gitlab', 'GitLab');
    opened = {
      server,
      host,
      access: (ms = 60_000) => {
        const { access, refresh, expiresAt } = newPair(server.world, 'ada', REDIRECT);
        const grant = seals.sealTokens(OWNER, { access, refresh, expiresAt, redirectUrl: REDIRECT });
        return { ownerId: OWNER, grant, deadline: Date.now() + ms };
      },
    };
  });
  afterEach(async () => {
    await opened?.server.close();
    opened = undefined;
  });
  return () => {
    if (opened === undefined) throw new Error('not opened');
    return opened;
  };
};

export const nameOf = (project: Project): RepositoryIdentity => ({
  id: String(project.id),
  path: project.path_with_namespace,
  defaultBranch: project.default_branch ?? 'main',
});

export const FROM_START: HostReadRequest = { since: null, page: null, validator: null };

type Read<Row> = (request: HostReadRequest) => Promise<HostReading<Row>>;

/** A page that must not be `unchanged`. */
export const changedPage = async <Row>(reading: Promise<HostReading<Row>>) => {
  const page = await reading;
  if (page.unchanged) throw new Error('unchanged');
  return page;
};

/** All rows of a reading, with the validator of its first page. `between` runs after each page. */
export const readAll = async <Row>(read: Read<Row>, begin = FROM_START, between?: (pages: number) => void) => {
  const first = await changedPage(read(begin));
  const rows = [...first.rows];
  let pages = 1;
  for (let next = first.next; next !== null; ) {
    between?.(pages);
    const page = await changedPage(read({ ...begin, page: next, validator: null }));
    rows.push(...page.rows);
    next = page.next;
    pages += 1;
  }
  return { rows, validator: first.validator, pages };
};
