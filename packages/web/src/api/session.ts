import { signal } from '@preact/signals';
import type { AnswerOf, Caller, User } from '@shipworthy/client';
import { client, setRepositoryHost } from './client.js';
import { type CallFault, callFaultOf } from './fault.js';
import { forgetAll, refreshShown, retryFailed, useResource, whenSignedOut } from './resource.js';

/** The repository host this server is set up with. */
interface HostName {
  /** The name as it is written in paths. */
  readonly name: string;
  /** The name for people. */
  readonly title: string;
}

/** The visitor: not known yet, before the set-up of the service, signed out, or signed in. */
export type Visitor =
  | { readonly kind: 'not_known_yet'; readonly fault?: CallFault }
  | { readonly kind: 'no_account_yet' }
  | { readonly kind: 'signed_out' }
  | { readonly kind: 'signed_in'; readonly user: User };

export const visitor = signal<Visitor>({ kind: 'not_known_yet' });

/** The repository host of this server; null: people cannot connect to one. */
export const repositoryHost = signal<HostName | null>(null);

/** A group of functions that a server may lack the stores for. */
export type OptionalGroup = AnswerOf<'readAbout'>['body']['data']['not_offered'][number];

const notOffered = signal<readonly OptionalGroup[]>([]);

/** Whether the server has the stores for the group; without them its screens are not shown and its calls not made. */
export const isOffered = (group: OptionalGroup): boolean => !notOffered.value.includes(group);

/** Whether the session of the person at the screen ended by itself or from another browser. The screen is kept for them. */
export const sessionEnded = signal(false);

let waiting: ((isBack: boolean) => void)[] = [];

const resumeWaiting = (isBack: boolean): void => {
  const all = waiting;
  waiting = [];
  for (const each of all) each(isBack);
};

/** Sets who has signed in. The same person continues where their session ended; for another one all is read anew. */
export const signedInAs = (user: User): void => {
  const before = visitor.value;
  // By now the browser also lists preloads that were still under way when the page started; see consumePreloads.
  if (before.kind === 'signed_out' || before.kind === 'no_account_yet') consumePreloads();
  const isBack = sessionEnded.value && before.kind === 'signed_in' && before.user.id === user.id;
  if (!isBack) forgetAll();
  sessionEnded.value = false;
  visitor.value = { kind: 'signed_in', user };
  if (isBack) refreshShown('');
  resumeWaiting(isBack);
};

/** Forgets all that was read and shows the sign-in screen. */
export const signedOut = (): void => {
  forgetAll();
  sessionEnded.value = false;
  visitor.value = { kind: 'signed_out' };
  resumeWaiting(false);
};

/** Ends the session on the server and shows the sign-in screen. A session that has ended already is no fault. */
export const endSession = async (): Promise<void> => {
  try {
    await client.signOut();
  } catch (error) {
    if (!callFaultOf(error).signedOut) throw error;
  }
  signedOut();
};

/** Asks a signed-in person to sign in again, in a dialog above the screen; shows anybody else the sign-in screen. */
const sessionIsOver = (): void => {
  if (visitor.value.kind === 'signed_in') sessionEnded.value = true;
  else signedOut();
};

/** Waits until the person whose session ended has signed in again; false: they left, or another person signed in. */
export const signedInAgain = (): Promise<boolean> =>
  new Promise((resolve) => {
    waiting.push(resolve);
    sessionIsOver();
  });

const askWhoIsSignedIn = async (): Promise<boolean> => {
  const before = visitor.peek();
  const wasEnded = sessionEnded.peek();
  try {
    const { user } = (await client.readSession()).body.data;
    // Who signed in or out here since the question was asked is known better than by this answer.
    if (visitor.peek() !== before || sessionEnded.peek() !== wasEnded || before.kind !== 'signed_in') return true;
    if (before.user.id === user.id && !wasEnded) return true;
    signedInAs(user);
    return false;
  } catch (error) {
    if (!callFaultOf(error).signedOut) return true;
    if (visitor.peek() === before) sessionIsOver();
    return false;
  }
};

let asking: Promise<boolean> | undefined;

/**
 * Asks the server who is signed in: all tabs share one session, so another tab may have ended it, or signed in another
 * person. Then asks the person to sign in again, or reads all anew for the other one, and returns false.
 */
export const checkSession = (): Promise<boolean> => {
  asking ??= askWhoIsSignedIn().finally(() => {
    asking = undefined;
  });
  return asking;
};

// A session may end by itself or from another browser; the next reading finds that out. It is asked again, since the
// reading may have been sent under a session that another tab has replaced.
whenSignedOut(() => void checkSession().then((isSame) => isSame && retryFailed()));

document.addEventListener('visibilitychange', () => {
  if (!document.hidden && visitor.peek().kind === 'signed_in') void checkSession();
});

/** Calls that every start makes itself, which uses up their preloads. */
const ALWAYS_MADE = /\/api\/(about|session)$/;
const consumedPreloads = new Set<string>();

/**
 * Uses up the calls that the page's headers made the browser preload without a session. Otherwise the browser would
 * answer the next person who signs in with these refusals. Preloads that are still under way are not listed yet.
 */
const consumePreloads = (): void => {
  for (const { name, initiatorType } of performance.getEntriesByType('resource') as PerformanceResourceTiming[]) {
    if (initiatorType !== 'link' || !name.includes('/api/') || ALWAYS_MADE.test(name) || consumedPreloads.has(name))
      continue;
    consumedPreloads.add(name);
    // Starting the call is enough to use up the preload; its answer is not needed.
    fetch(name).catch(() => undefined);
  }
};

/** Finds out who the visitor is; when the server cannot say, the visitor stays `not_known_yet`, with the fault. */
export const findVisitor = async (): Promise<void> => {
  try {
    const { body } = await client.readAbout();
    repositoryHost.value = body.data.repository_host;
    notOffered.value = body.data.not_offered;
    if (body.data.repository_host !== null) setRepositoryHost(body.data.repository_host.name);
    if (!body.data.set_up) {
      visitor.value = { kind: 'no_account_yet' };
      return;
    }
    signedInAs((await client.readSession()).body.data.user);
  } catch (error) {
    const fault = callFaultOf(error);
    if (!fault.signedOut) {
      visitor.value = { kind: 'not_known_yet', fault };
      return;
    }
    consumePreloads();
    signedOut();
  }
};

export type TeamRole = Caller['teams'][number]['role'];

const RANKS: Readonly<Record<TeamRole, number>> = { viewer: 0, member: 1, owner: 2 };

export const ROLE_TITLES: Readonly<Record<TeamRole, string>> = { viewer: 'Viewer', member: 'Member', owner: 'Owner' };

/** The person's role in the team; null: none, or it could not be read; undefined: not known yet. */
export const useRole = (teamId: string): TeamRole | null | undefined => {
  const caller = useResource('whoami', async (signal) => (await client.whoAmI({ signal })).body.data);
  const { value, fault } = caller.state.value;
  if (value === undefined) return fault === undefined ? undefined : null;
  return value.teams.find(({ id }) => id === teamId)?.role ?? null;
};

/** Whether the first role includes the second one. */
export const roleIncludes = (own: TeamRole | null | undefined, role: TeamRole): boolean =>
  own != null && RANKS[own] >= RANKS[role];

/** Whether the person has at least that role in the team; false until known, so that nothing is offered in vain. */
export const useMay = (teamId: string, role: TeamRole): boolean => roleIncludes(useRole(teamId), role);
