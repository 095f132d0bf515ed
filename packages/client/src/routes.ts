import type { Method, Operation } from './contract/operation.js';
import type { OperationId, Operations } from './contract/operations.js';

/**
 * What sets an operation apart when it is called: `keyed` takes an idempotency key, `repeatable` may be sent again without one,
 * `paged` answers pages, `pageable` does so only where `limit` is sent, `text` answers no JSON.
 */
export type Trait = 'keyed' | 'repeatable' | 'paged' | 'pageable' | 'text';

type TraitOf<O extends Operation> = O extends { idempotent: true }
  ? ['keyed']
  : O extends { repeatable: true }
    ? ['repeatable']
    : O extends { query: { properties: { cursor: unknown } } }
      ? O extends { pagedByLimit: true }
        ? ['pageable']
        : ['paged']
      : O extends { success: { contentType: string } }
        ? ['text']
        : [];

/** The operations with one answer. Streams are left out: they are read by an `EventSource` or the like. */
export type CalledId = {
  [Id in OperationId]: Operations[Id] extends { stream: true } ? never : Id;
}[OperationId];

/** An operation as the client needs it at run time: method, path and what sets it apart. */
export type Route = readonly [method: Method, path: string, trait?: Trait];

type RouteOf<O extends Operation> = readonly [O['method'], O['path'], ...TraitOf<O>];

/** The line of an operation in the tree: its name and, behind a space, what sets it apart. */
type LineOf<Id extends CalledId> = TraitOf<Operations[Id]> extends readonly [infer T extends Trait] ? `${Id} ${T}` : Id;

/** The lines of all operations by method and path. */
type Lines = { readonly [Id in CalledId as `${Operations[Id]['method']} ${Operations[Id]['path']}`]: LineOf<Id> };

/** What a tree must be: at each path, by method, the lines of the contract. */
type Checked<Tree, Path extends string = ''> = {
  readonly [Key in keyof Tree & string]: Key extends Method
    ? Lines[`${Key} ${Path}` & keyof Lines]
    : Checked<Tree[Key], `${Path}${Key}`>;
};

/** The lines of a tree. */
type LinesIn<Tree> = Tree extends string ? Tree : { [Key in keyof Tree]: LinesIn<Tree[Key]> }[keyof Tree];

/**
 * The operations by path, without their schemas, which would make up most of a bundle; each path is written once for the same
 * reason. The types refuse a line that is missing, surplus or differs from its operation.
 */
const TREE = {
  '/api': {
    '/setup': { POST: 'setUp' },
    '/session': { POST: 'signIn', GET: 'readSession', DELETE: 'signOut', '/password': { PUT: 'changePassword' } },
    '/whoami': { GET: 'whoAmI' },
    '/invitations': {
      POST: 'createInvitation',
      GET: 'listReceivedInvitations',
      '/read': { POST: 'readInvitation repeatable' },
      '/accept': { POST: 'acceptInvitation' },
      '/join': { POST: 'joinTeam' },
      '/{invitation_id}': {
        '/accept': { POST: 'acceptReceivedInvitation' },
        '/decline': { POST: 'declineReceivedInvitation' },
      },
    },
    '/teams': {
      GET: 'listTeams',
      POST: 'createTeam keyed',
      '/{team_id}': {
        PATCH: 'renameTeam',
        '/invitations': { GET: 'listInvitations', '/{invitation_id}': { DELETE: 'revokeInvitation' } },
        '/invitations.csv': { GET: 'exportInvitations text' },
        '/archive': { POST: 'archiveTeam repeatable' },
        '/restore': { POST: 'restoreTeam repeatable' },
        '/members': {
          GET: 'listMembers',
          POST: 'addMember',
          '/{user_id}': { PATCH: 'changeMemberRole', DELETE: 'removeMember' },
        },
        '/members.csv': { GET: 'exportMembers text' },
        '/audit': { GET: 'listAuditEntries paged' },
        '/audit.csv': { GET: 'exportAuditEntries text' },
        '/projects.csv': { GET: 'exportProjects text' },
        '/projects': {
          GET: 'listProjects',
          POST: 'createProject keyed',
          '/{project_id}': {
            GET: 'readProject',
            PATCH: 'renameProject',
            '/archive': { POST: 'archiveProject repeatable' },
            '/restore': { POST: 'restoreProject repeatable' },
            '/policy': {
              GET: 'readPolicy',
              PUT: 'replacePolicy',
              '/versions': { GET: 'listPolicyVersions paged' },
              '/versions.csv': { GET: 'exportPolicyVersions text' },
              '/preview': { POST: 'previewPolicy repeatable' },
            },
            '/event-sources': { GET: 'readEventSources', PUT: 'replaceEventSources repeatable' },
            '/badge': { GET: 'readBadgeState', PUT: 'showBadge', DELETE: 'hideBadge' },
            '/badge.json': { GET: 'readBadge' },
            '/badge.svg': { GET: 'readBadgeImage text' },
            '/releases.csv': { GET: 'exportReleases text' },
            '/releases': {
              GET: 'listReleases paged',
              POST: 'createRelease keyed',
              '/{release_id}': {
                GET: 'readRelease',
                PATCH: 'changeRelease',
                '/activate': { POST: 'activateRelease' },
                '/park': { POST: 'parkRelease' },
                '/ship': { POST: 'shipRelease' },
                '/cancel': { POST: 'cancelRelease' },
                '/readiness': {
                  GET: 'readReadiness',
                  '/history': { GET: 'listHistory paged' },
                  '/difference': { GET: 'readDifference paged' },
                  '/difference.csv': { GET: 'exportDifference text' },
                  '/{axis}': { GET: 'listAxisRows paged', '/rows.csv': { GET: 'exportAxisRows text' } },
                  '/what-if': { POST: 'askWhatIf repeatable' },
                },
                '/gate': { GET: 'readGate' },
                '/analysis': { GET: 'readAnalysis' },
                '/analysis.csv': { GET: 'exportAnalysis text' },
                '/waivers': {
                  GET: 'listWaivers',
                  POST: 'waiveReason keyed',
                  '/{waiver_id}': { DELETE: 'withdrawWaiver' },
                },
                '/waivers.csv': { GET: 'exportWaivers text' },
                '/checklist': {
                  GET: 'listChecklist',
                  POST: 'addChecklistItem keyed',
                  '/{item_id}': {
                    PATCH: 'changeChecklistItem',
                    DELETE: 'removeChecklistItem',
                    '/restore': { POST: 'restoreChecklistItem' },
                    '/confirm': { POST: 'confirmChecklistItem' },
                    '/evidence': { POST: 'addEvidence keyed', '/{evidence_id}': { DELETE: 'removeEvidence' } },
                  },
                },
                '/checklist.csv': { GET: 'exportChecklist text' },
                '/axes': { '/{axis}': { '/reports': { POST: 'recordReleaseAxisReport keyed' } } },
              },
            },
            '/readiness': { GET: 'readActiveReadiness' },
            '/checklist-template': { GET: 'readChecklistTemplate', PUT: 'replaceChecklistTemplate' },
            '/issues': {
              GET: 'listIssues paged',
              POST: 'createIssue keyed',
              '/{issue_id}': { GET: 'readIssue', PATCH: 'changeIssue' },
              '/import': { POST: 'importIssues' },
            },
            '/issues.csv': { GET: 'exportIssues text' },
            '/deployments': { GET: 'listDeployments paged' },
            '/deployments.csv': { GET: 'exportDeployments text' },
            '/test-runs': {
              POST: 'recordTestRun keyed',
              GET: 'listTestRuns paged',
              '/batch': { POST: 'importTestRuns keyed' },
              '/{test_run_id}': {
                GET: 'readTestRun',
                '/set-aside': { POST: 'setTestRunAside' },
                '/restore': { POST: 'restoreTestRun' },
              },
            },
            '/test-runs.csv': { GET: 'exportTestRuns text' },
            '/axes': {
              '/{axis}': {
                '/reports': {
                  POST: 'recordAxisReport keyed',
                  GET: 'listAxisReports paged',
                  '/batch': { POST: 'importAxisReports keyed' },
                  '/{report_id}': { GET: 'readAxisReport' },
                },
                '/reports.csv': { GET: 'exportAxisReports text' },
              },
            },
            '/not-counted': { GET: 'listNotCounted paged' },
            '/not-counted.csv': { GET: 'exportNotCounted text' },
            '/repository': {
              GET: 'readRepositoryLink',
              PUT: 'linkRepository repeatable',
              DELETE: 'unlinkRepository',
              '/milestones': { GET: 'listMilestones paged' },
              '/webhook': { GET: 'readRepositoryWebhook' },
            },
            '/webhooks': {
              GET: 'listWebhooks',
              POST: 'createWebhook',
              '/{webhook_id}': {
                GET: 'readWebhook',
                PATCH: 'changeWebhook',
                DELETE: 'removeWebhook',
                '/rotate-secret': { POST: 'rotateWebhookSecret' },
                '/test': { POST: 'testWebhook keyed' },
                '/deliveries': {
                  GET: 'listDeliveries paged',
                  '/{delivery_id}': { '/replay': { POST: 'replayDelivery' } },
                },
                '/deliveries.csv': { GET: 'exportDeliveries text' },
              },
            },
          },
        },
        '/api-keys': { GET: 'listTeamApiKeys paged', '/{api_key_id}': { DELETE: 'barApiKey' } },
        '/api-keys.csv': { GET: 'exportTeamApiKeys text' },
      },
    },
    '/people': {
      GET: 'listPeople paged',
      '/{user_id}': {
        '/disable': { POST: 'disablePerson repeatable' },
        '/enable': { POST: 'enablePerson repeatable' },
        '/vouch': { POST: 'vouchForPerson repeatable' },
        '/ownership': { POST: 'nameOwner' },
      },
      '/ownerless-teams': { GET: 'listOwnerlessTeams' },
    },
    '/people.csv': { GET: 'exportPeople text' },
    '/service-invitations': {
      GET: 'listServiceInvitations',
      '/{invitation_id}': { DELETE: 'revokeServiceInvitation' },
    },
    '/service-invitations.csv': { GET: 'exportServiceInvitations text' },
    '/demo': { DELETE: 'removeDemo' },
    '/search': { GET: 'search' },
    '/portfolio': { GET: 'readPortfolio pageable' },
    '/portfolio.csv': { GET: 'exportPortfolio text' },
    '/gate-changes': { GET: 'listGateChanges paged', '/read-up-to': { PUT: 'readGateChanges repeatable' } },
    '/gate-changes.csv': { GET: 'exportGateChanges text' },
    '/deployments': {
      POST: 'recordDeployment keyed',
      '/batch': { POST: 'importDeployments keyed' },
      '/{deployment_id}': { PUT: 'finishDeployment repeatable', GET: 'readDeployment' },
    },
    '/events': { POST: 'receiveCdEvent repeatable' },
    '/settings': {
      '/github': {
        GET: 'readHostConnection',
        DELETE: 'disconnectHost',
        '/check': { GET: 'checkHostConnection' },
        '/connect': { POST: 'connectHost' },
        '/token': { POST: 'connectHostByToken' },
        '/callback': { GET: 'finishHostConnection text' },
        '/repositories': { GET: 'listRepositories paged' },
      },
      '/api-keys': { GET: 'listApiKeys', POST: 'createApiKey', '/{api_key_id}': { DELETE: 'revokeApiKey' } },
      '/api-keys.csv': { GET: 'exportApiKeys text' },
    },
    '/hooks': { '/github': { POST: 'receiveHook' } },
    '/openapi.json': { GET: 'readOpenApi' },
    '/docs': { GET: 'readDocs text' },
    '/about': { GET: 'readAbout' },
    '/.well-known': { '/shipworthy-keys': { GET: 'readVerdictKeys' } },
  },
  '/livez': { GET: 'checkAlive' },
  '/readyz': { GET: 'checkReady' },
  '/metrics': { GET: 'readMetrics text' },
} as const;

/** Maps a part of a path to the tree below it, and a method to the line of an operation. */
interface Tree {
  readonly [key: string]: Tree | string;
}

const routesIn = (tree: Tree, path = ''): [id: string, route: Route][] =>
  Object.entries(tree).flatMap(([key, below]): [string, Route][] => {
    if (typeof below !== 'string') return routesIn(below, path + key);
    const [id = '', ...trait] = below.split(' ');
    return [[id, [key as Method, path, ...(trait as [Trait?])]]];
  });

const whole: Checked<typeof TREE> & { readonly [missing in Exclude<Lines[keyof Lines], LinesIn<typeof TREE>>]: never } =
  TREE;

/** The table of operations. */
export const ROUTES = Object.fromEntries(routesIn(whole)) as { readonly [Id in CalledId]: RouteOf<Operations[Id]> };
