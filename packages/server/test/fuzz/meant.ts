import { SCOPES } from '@shipworthy/domain';
import { AXES } from '@shipworthy/domain/readiness';
import * as fc from 'fast-check';
import { SHOP } from '../harness/test-host.js';
import type { Operation } from './description.js';
import type { CallerName } from './step.js';
import type { Template } from './template.js';
import { known } from './texts.js';

type Members = Readonly<Record<string, Template>>;

/** What is meant by members of the body of that operation, where their names alone do not tell. */
const MEMBERS: Readonly<Record<string, fc.Arbitrary<Members>>> = {
  signIn: known('own_email').map((email) => ({ email })),
  addMember: known('email_of_outsider').map((email) => ({ email })),
  createInvitation: fc.oneof(
    known('team_id').map((team_id) => ({ team_id, role: 'member' })),
    fc.constant({}),
  ),
  askWhatIf: fc.oneof(fc.constant({ facts: { scope: { done: 2, total: 3 } } }), fc.constant({})),
  linkRepository: fc.constant({ repository: SHOP.path, milestones: 'all', test_runs: 'checks' }),
  readInvitation: known('token').map((token) => ({ token })),
  joinTeam: known('token').map((token) => ({ token })),
  nameOwner: known('ownerless_team').map((team_id) => ({ team_id })),
  waiveReason: fc.constantFrom<string>(...AXES).map((axis) => ({ axis })),
  recordAxisReport: fc.constant({ part: 1, whole: 2 }),
  recordReleaseAxisReport: fc.constant({ part: 1, whole: 2 }),
  acceptInvitation: fc.nat(1_000_000_000).map((n) => ({ email: `p${n}@acme.dev` })),
};

/** Bodies whose members must fit each other. */
const WHOLE: Readonly<Record<string, fc.Arbitrary<Template>>> = {
  changeChecklistItem: fc.constant({ state: 'not_applicable', reason: 'Texts only' }),
  createApiKey: fc.record(
    { name: fc.constant('pipeline'), scopes: fc.constant([...SCOPES]), team_id: known('team_id') },
    { noNullPrototype: true },
  ),
  recordDeployment: fc.record(
    {
      app_name: known('project_name'),
      environment: fc.constantFrom('production', 'staging'),
      commit_sha: fc.constant('9fceb02d0ae598e95dc970b74767f19372d61af8'),
      version: fc.constantFrom('2.4.1', '2.5.0'),
      deployed_by: fc.constant('github-actions'),
      status: fc.constantFrom('started', 'started', 'success', 'failure'),
    },
    { noNullPrototype: true },
  ),
};

/** Bodies of that operation as they are meant, among any that its schema accepts. */
export const meantBody = (operation: string, any: fc.Arbitrary<Template>): fc.Arbitrary<Template> => {
  const members = MEMBERS[operation];
  const whole = WHOLE[operation];
  if (whole !== undefined) return fc.oneof({ weight: 2, arbitrary: whole }, any);
  if (members === undefined) return any;
  return fc.tuple(any, members).map(([all, meant]) => ({ ...(all as Members), ...meant }));
};

/** Who is meant to call what no security scheme tells apart. */
const CALLED_BY: Readonly<Record<string, readonly CallerName[]>> = {
  signOut: ['leaver'],
  changePassword: ['leaver'],
  createInvitation: ['owner', 'owner', 'administrator'],
  joinTeam: ['outsider'],
  listReceivedInvitations: ['outsider'],
  acceptReceivedInvitation: ['outsider'],
  declineReceivedInvitation: ['outsider'],
  listPeople: ['administrator'],
  exportPeople: ['administrator'],
  disablePerson: ['administrator'],
  enablePerson: ['administrator'],
  vouchForPerson: ['administrator'],
  listServiceInvitations: ['administrator'],
  exportServiceInvitations: ['administrator'],
  revokeServiceInvitation: ['administrator'],
  listOwnerlessTeams: ['administrator'],
  nameOwner: ['administrator'],
  removeDemo: ['administrator'],
  connectHost: ['owner'],
  connectHostByToken: ['owner'],
  finishHostConnection: ['owner'],
  checkHostConnection: ['owner'],
  disconnectHost: ['owner'],
  linkRepository: ['owner'],
  listRepositories: ['owner'],
  listMilestones: ['owner'],
  importIssues: ['owner'],
  receiveHook: ['signer'],
  readMetrics: ['metrics'],
};
const often = (caller: CallerName): readonly CallerName[] => Array.from({ length: 6 }, () => caller);
const FITTING: Readonly<Record<Operation['by'], readonly CallerName[]>> = {
  anybody: ['nobody'],
  session: [...often('owner'), 'member'],
  reading: [...often('owner'), ...often('pipeline'), 'member', 'viewer', 'reader', 'key just made'],
  writing: [...often('owner'), ...often('pipeline'), 'member', 'key just made'],
};

/** Who calls an operation when it is to succeed. */
export const meantCallers = ({ id, by }: Operation): fc.Arbitrary<CallerName> =>
  fc.constantFrom(...(CALLED_BY[id] ?? FITTING[by]));
