import type { Author } from './access/principal.js';
import { DomainError } from './errors.js';
import type { EventFeed } from './event.js';
import type { Stores, StoresWithFeed } from './ports.js';

/** The stores that a service can do without, in groups: a bundle has all stores of a group or none. */
export const STORE_GROUPS = {
  audit: ['audit'],
  badges: ['badges'],
  cdevents: ['eventSources'],
  'gate-changes': ['gateChanges'],
  history: ['history'],
  host: ['hostConnections', 'repositoryLinks'],
  invitations: ['invitations'],
  'own-axes': ['axisReports'],
  retention: ['keptRecords'],
  search: ['search'],
  webhooks: ['events', 'webhooks'],
} as const satisfies Readonly<Record<string, readonly (keyof Stores)[]>>;

export type StoreGroup = keyof typeof STORE_GROUPS;

type OptionalName = (typeof STORE_GROUPS)[StoreGroup][number];

/** The least that a service needs: accounts, teams, projects, releases with what fills their axes, and what makes calls safe. */
export interface CoreStores extends Omit<Stores, OptionalName | 'transaction'> {
  /** As that of `Stores`, on all stores of the bundle. */
  transaction<Result>(work: (stores: OfferedStores) => Promise<Result>, by?: Author): Promise<Result>;
}

/** The core, and any of the groups. The feed belongs to the webhooks. */
export interface OfferedStores extends CoreStores, Partial<Pick<StoresWithFeed, OptionalName | 'feed'>> {}

const GROUPS = Object.keys(STORE_GROUPS) as readonly StoreGroup[];

const membersOf = (group: StoreGroup): readonly (OptionalName | 'feed')[] =>
  group === 'webhooks' ? [...STORE_GROUPS.webhooks, 'feed'] : STORE_GROUPS[group];

/** The groups that a bundle does not have. @throws TypeError for a part of a group */
export const absentGroups = (offered: OfferedStores): readonly StoreGroup[] =>
  GROUPS.filter((group) => {
    const members = membersOf(group);
    const missing = members.filter((name) => offered[name] === undefined);
    if (missing.length > 0 && missing.length < members.length)
      throw new TypeError(`The stores of the group ${group} come together: ${missing.join(', ')} is missing.`);
    return missing.length > 0;
  });

/** A store in the place of an absent one: it has nothing, and refuses what would store something or read one thing of it. */
const standIn = <Store extends object>(group: StoreGroup, nothing: NoInfer<Partial<Store>>): Store =>
  new Proxy(nothing, {
    get: (target, name) => {
      const known = Reflect.get(target, name);
      // Something with a `then` would be taken for a promise.
      if (known !== undefined || typeof name === 'symbol' || name === 'then') return known;
      return async () => {
        throw new DomainError('not-offered', `This service has no stores of the group ${group}.`);
      };
    },
  }) as Store;

const zero = async (): Promise<number> => 0;
const none = async (): Promise<undefined> => undefined;
const nothingDone = async (): Promise<void> => {};
const empty = async (): Promise<readonly never[]> => [];
const emptyPage = async () => ({ rows: [], next: null });
const emptyEach = async (ids: readonly string[]): Promise<readonly (readonly never[])[]> => ids.map(() => []);

/**
 * What stands in for the stores of each group where the core reads them. The core's own changes go on without them: nothing is
 * noted in an audit log, no event is told.
 */
const STAND_INS: { readonly [Group in StoreGroup]: Pick<Stores, (typeof STORE_GROUPS)[Group][number]> } = {
  audit: { audit: standIn('audit', { append: nothingDone }) },
  badges: { badges: standIn('badges', {}) },
  cdevents: { eventSources: standIn('cdevents', {}) },
  'gate-changes': {
    gateChanges: standIn('gate-changes', { append: nothingDone, removeBefore: zero }),
  },
  history: {
    history: standIn('history', {
      claim: empty,
      last: emptyEach,
      trends: emptyEach,
      newest: async (ids) => ids.map(() => undefined),
      latest: async (ids) => ids.map(() => undefined),
    }),
  },
  host: {
    hostConnections: standIn('host', { of: none, removeExpired: zero }),
    repositoryLinks: standIn('host', { ofProject: none, lastOf: none, removeDeliveries: zero }),
  },
  invitations: { invitations: standIn('invitations', { pending: empty, received: empty, revokeMadeBy: nothingDone }) },
  'own-axes': {
    axisReports: standIn('own-axes', { page: emptyPage, latest: async (lookups) => lookups.map(() => undefined) }),
  },
  retention: {
    keptRecords: standIn('retention', {
      since: async () => ({ deployments: null, testRuns: null, axisReports: null }),
    }),
  },
  search: { search: standIn('search', {}) },
  webhooks: {
    events: standIn('webhooks', { append: nothingDone }),
    webhooks: standIn('webhooks', { ofProject: empty, removeDeliveries: zero }),
  },
};

const silentFeed: EventFeed = { subscribe: () => () => undefined };

/**
 * The whole bundle: in the place of the groups that are not offered stands what has nothing, and refuses to store with the
 * DomainError `not-offered`. A bundle with all groups is answered as it is.
 */
export const completeStores = (offered: OfferedStores): StoresWithFeed => {
  const absent = absentGroups(offered);
  if (absent.length === 0) return offered as StoresWithFeed;
  const standIns = Object.assign({}, ...absent.map((group) => STAND_INS[group])) as Pick<Stores, OptionalName>;
  const completed = (stores: OfferedStores): Stores => ({
    ...stores,
    ...standIns,
    transaction: (work, by) => stores.transaction((inside) => work(completed(inside)), by),
  });
  return { ...completed(offered), feed: offered.feed ?? silentFeed };
};
