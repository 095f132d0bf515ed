import type { Fault } from '../errors.js';
import { nameFaults } from '../names.js';
import type { Page, PageRequest } from '../page.js';
import type { Role } from '../team.js';
import type { Instant } from '../time.js';
import { type ApiKey, type Principal, SCOPES, type User } from './principal.js';

/** Returns the principal of a session, with the roles that its person has now. */
export const sessionPrincipal = (session: Session, user: User, roles: ReadonlyMap<string, Role>): Principal => ({
  kind: 'session',
  id: session.id,
  userId: user.id,
  name: user.name,
  scopes: SCOPES,
  roles,
  administrator: user.administrator,
  expiresAt: session.expiresAt,
});

const reaches = ({ teamId, barredTeams }: ApiKey, reached: string): boolean =>
  (teamId === null || teamId === reached) && !barredTeams.includes(reached);

/** The principal of an API key: what its maker may do now, limited to what the key reaches. Never an administrator. */
export const keyPrincipal = (key: ApiKey, roles: ReadonlyMap<string, Role>): Principal => ({
  kind: 'api_key',
  id: key.id,
  userId: key.userId,
  name: key.name,
  scopes: key.scopes,
  roles: new Map([...roles].filter(([teamId]) => reaches(key, teamId))),
  home: { teamIds: key.teamId === null ? key.homeTeams : [key.teamId], projectId: key.projectId },
  administrator: false,
  expiresAt: key.expiresAt,
});

export interface UserStore {
  /** Stores the very first user; false when there is one already. One conditional insert. */
  createFirst(user: User, passwordHash: string): Promise<boolean>;
  /** Stores a user; DomainError `email-taken`. */
  create(user: User, passwordHash: string): Promise<void>;
  byId(userId: string): Promise<User | undefined>;
  /** Finds the user by address; addresses are compared by `addressKey`. */
  byEmail(email: string): Promise<{ readonly user: User; readonly passwordHash: string } | undefined>;
  /** Notes that the address is proved to be the person's. */
  verifyEmail(userId: string): Promise<void>;
  /** Disables the account as of that moment; null enables it. */
  setDisabled(userId: string, at: Instant | null): Promise<void>;
  changePassword(userId: string, passwordHash: string): Promise<void>;
  any(): Promise<boolean>;
  /** All administrators, disabled ones too, oldest first (createdAt, then id). */
  administrators(): Promise<readonly User[]>;
  /** Locks the account until the transaction ends; only inside a transaction. */
  lock(userId: string): Promise<void>;
  /** Locks the accounts of the administrators until the transaction ends; only inside a transaction. */
  lockAdministrators(): Promise<void>;
  /** All users, or those whose `namesOfUser` hold all words, in any case; oldest first: createdAt, then id. */
  page(page: PageRequest, text?: { readonly words: readonly string[] }): Promise<Page<User>>;
}

/** The text in which a search for users looks: name and address. */
export const namesOfUser = ({ name, email }: Pick<User, 'name' | 'email'>): string => `${name} ${email}`;

/** Fewest characters of a password. */
const SHORTEST_PASSWORD = 12;

/** Everything wrong with a password a person chose; empty when nothing is. */
export const passwordFaults = (password: string, pointer = '/password'): readonly Fault[] =>
  [...password].length >= SHORTEST_PASSWORD
    ? []
    : [{ pointer, code: 'too-short', message: `A password has at least ${SHORTEST_PASSWORD} characters.` }];

/**
 * One try to sign in, counted by `account` (the `addressKey` of the email) and by `address` (`networkOf` the caller).
 */
export interface SignInAttempt {
  readonly id: string;
  readonly account: string;
  readonly address: string;
  readonly at: Instant;
}

/**
 * The tries that have not succeeded, the present one included. Each time span excludes its start and has no end, so
 * that tries of an instance whose clock is ahead count, too.
 */
export interface SignInCounts {
  /** Tries of this account from this address in the last minute. */
  readonly pair: number;
  /** Tries from this address in the last minute. */
  readonly address: number;
  /** Tries of this account in the last hour. */
  readonly account: number;
  /** Whether this account signed in from this address before. */
  readonly addressKnown: boolean;
}

export interface SignInStore {
  /** Stores the try before the password is checked, so that simultaneous tries are counted; returns the counts. */
  attempt(attempt: SignInAttempt): Promise<SignInCounts>;
  /** Removes a try that succeeded, and remembers its address for the account. */
  succeeded(attempt: SignInAttempt): Promise<void>;
  /** Removes tries before the moment; returns how many. */
  removeBefore(at: Instant): Promise<number>;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Largest number of failed tries of one account from one network address in a minute. */
const PAIR_LIMIT = 5;
/** Largest number of failed tries from one network address in a minute. */
const ADDRESS_LIMIT = 20;
/** Largest number of failed tries of one account in an hour; then only addresses and devices that signed in before may try. */
const ACCOUNT_LIMIT = 100;

/** Returns how long to wait before the next try, in milliseconds; null: not at all. The counts include this try. */
export const waitBeforeTry = ({ pair, address, account, addressKnown }: SignInCounts): number | null => {
  if (account > ACCOUNT_LIMIT && !addressKnown) return HOUR;
  return pair > PAIR_LIMIT || address > ADDRESS_LIMIT ? MINUTE : null;
};

/** A browser session; only the hash of its secret is kept. */
export interface Session {
  readonly id: string;
  readonly secretHash: string;
  readonly userId: string;
  readonly createdAt: Instant;
  /** Coarse: written once a minute at most. */
  readonly lastSeenAt: Instant;
  /** The end of the session even when it is used. */
  readonly expiresAt: Instant;
}

export interface SessionStore {
  create(session: Session): Promise<void>;
  /** The session with its person and the person's roles now; one query. */
  bySecretHash(
    secretHash: string,
  ): Promise<{ readonly session: Session; readonly user: User; readonly roles: ReadonlyMap<string, Role> } | undefined>;
  /** Stores when the session was last seen; called once a minute at most. */
  touch(sessionId: string, at: Instant): Promise<void>;
  remove(sessionId: string): Promise<void>;
  /** Removes the person's sessions except `keptSessionId`; null: all of them. */
  removeOthers(userId: string, keptSessionId: string | null): Promise<void>;
  /** Removes the sessions whose absolute end is at or before `now`; returns how many. */
  removeExpired(now: Instant): Promise<number>;
}

/** A session ends after this time without use, in milliseconds: 8 hours. */
export const SESSION_IDLE = 8 * 3_600_000;
/** A session ends after this time even when it is used, in milliseconds: 7 days. */
export const SESSION_LENGTH = 7 * 24 * 3_600_000;
/** Last uses are written no more often than this, in milliseconds. */
const TOUCH_EVERY = 60_000;

/** Whether the session has ended, by its absolute end or by idleness. */
export const isSessionOver = ({ expiresAt, lastSeenAt }: Session, now: Instant): boolean =>
  now >= expiresAt || now - lastSeenAt >= SESSION_IDLE;

/** Checks whether the stored last use is old enough to be written again; null: there is none. */
export const isLastUseStale = (last: Instant | null, now: Instant): boolean =>
  last === null || now - last >= TOUCH_EVERY;

/** The form in which addresses are compared: NFKC, then lower case. Two spellings with one key are one address. */
export const addressKey = (email: string): string => email.normalize('NFKC').toLowerCase();

/**
 * Dots that mail software replaces (U+3002 by a full stop) or drops (at the end): the result may be the address of
 * another person.
 */
const OTHER_DOT = /\u3002|\.$/u;

/**
 * Returns a fault for an address that could be taken for another one: it holds characters that cannot be seen, or dots that mail
 * does not tell apart. Different spellings of one letter are allowed: their `addressKey` is the same.
 */
export const emailFaults = (email: string): readonly Fault[] => {
  const hidden = nameFaults(email, '/email').filter(({ code }) => code === 'hidden-character');
  const message = 'email must have full stops between the labels of its domain, no other dots, and none at its end.';
  return OTHER_DOT.test(addressKey(email)) ? [...hidden, { pointer: '/email', code: 'other-dot', message }] : hidden;
};

const DIGITS = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** Decodes a Punycode text (RFC 3492); undefined when it is not Punycode. */
const decodePunycode = (text: string): string | undefined => {
  const end = text.lastIndexOf('-');
  const points = Array.from(text.slice(0, Math.max(0, end)), (basic) => basic.charCodeAt(0));
  let [code, index, bias, at] = [128, 0, 72, end + 1];
  while (at < text.length) {
    const before = index;
    for (let [step, weight] = [36, 1]; ; step += 36) {
      const digit = DIGITS.indexOf(text[at] ?? '?');
      at += 1;
      if (digit < 0) return undefined;
      index += digit * weight;
      const threshold = Math.min(26, Math.max(1, step - bias));
      if (digit < threshold) break;
      weight *= 36 - threshold;
    }
    const length = points.length + 1;
    code += Math.floor(index / length);
    // Written so that NaN and Infinity, which a long text leads to, are refused, too.
    if (!(code <= 0x10ffff)) return undefined;
    let delta = Math.floor((index - before) / (before === 0 ? 700 : 2));
    delta += Math.floor(delta / length);
    bias = 0;
    for (; delta > 455; bias += 36) delta = Math.floor(delta / 35);
    bias += Math.floor((36 * delta) / (delta + 38));
    index %= length;
    points.splice(index, 0, code);
    index += 1;
  }
  return String.fromCodePoint(...points);
};

/** The text with compatibility forms and the Punycode labels of domains replaced by the letters they encode. */
const withDecodedLetters = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(
      /(?<![a-z\d-])xn--([a-z\d-]+)/gi,
      (label, encoded: string) => decodePunycode(encoded.toLowerCase()) ?? label,
    );

/** Scripts with letters that look like those of another one. */
const LOOKALIKE_SCRIPTS = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Cherokee}/u,
];

/**
 * Whether one of the texts, an address or a name, has letters of two scripts that look alike, as "p\u0430ypal" with a Cyrillic
 * letter. Compatibility forms and domains in Punycode (`xn--`) count as the letters they encode. Such texts are marked, not
 * refused: honest ones exist.
 */
export const mixesScripts = (...texts: readonly (string | null)[]): boolean =>
  texts.some((text) => {
    const plain = withDecodedLetters(text ?? '');
    return LOOKALIKE_SCRIPTS.filter((script) => script.test(plain)).length > 1;
  });

/** An invitation that can still be accepted, as shown to the people who may create such invitations. */
export interface PendingInvitation {
  readonly id: string;
  /** The role in the team; null: it leads to an account without a team. */
  readonly role: Role | null;
  /** The address that the invitation is bound to; null: none. */
  readonly email: string | null;
  /** Who made it, by name. */
  readonly createdBy: string;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
}

/** An invitation into a team that is bound to a person's address, as that person sees it. */
export interface ReceivedInvitation {
  readonly id: string;
  readonly team: { readonly id: string; readonly name: string };
  readonly role: Role;
  /** Who made it, by name. */
  readonly createdBy: string;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
}

/**
 * An invitation is pending when it is not used, not revoked and not expired, and its maker may still invite: an owner
 * of the team, or an administrator where there is no team, whose account is not disabled.
 */
export interface InvitationStore {
  create(invitation: Invitation): Promise<void>;
  byId(invitationId: string): Promise<Invitation | undefined>;
  bySecretHash(secretHash: string): Promise<Invitation | undefined>;
  /** Marks it used by one conditional update; false when it was used, was revoked or expires at or before `at`. */
  accept(invitationId: string, at: Instant): Promise<boolean>;
  /** The invitations into the team, or into no team (null), that are pending at that moment. Oldest first. */
  pending(teamId: string | null, at: Instant): Promise<readonly PendingInvitation[]>;
  /** The invitations into teams that are bound to the address with that key and pending at that moment. Oldest first. */
  received(addressKey: string, at: Instant): Promise<readonly ReceivedInvitation[]>;
  /** Revokes an invitation into the team, or into no team (null); false when there is none, or it was used or revoked before. */
  revoke(teamId: string | null, invitationId: string, at: Instant): Promise<boolean>;
  /** Revokes the invitations that the person made and that are neither used nor revoked; with a team, only those into it. */
  revokeMadeBy(maker: { readonly userId: string; readonly teamId?: string }, at: Instant): Promise<void>;
}

/** An offer to join a team, or only the service. Of the secret of its link only the hash is stored. */
export interface Invitation {
  readonly id: string;
  readonly secretHash: string;
  /** null: an account without a team. */
  readonly team: { readonly id: string; readonly role: Role } | null;
  /** The address it is bound to, as given: only an account with that address accepts it. null: anyone who has the link. */
  readonly email: string | null;
  readonly createdBy: string;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
  readonly acceptedAt: Instant | null;
  /** When an owner or an administrator revoked it, or the person declined it. */
  readonly revokedAt: Instant | null;
}

/** Whether an invitation can be accepted, or why it no longer can. */
export type InvitationState = 'open' | 'used' | 'revoked' | 'expired';

/** The state of an invitation at that moment. An open one can be accepted only while its maker may still invite. */
export const invitationState = ({ acceptedAt, revokedAt, expiresAt }: Invitation, now: Instant): InvitationState => {
  if (acceptedAt !== null) return 'used';
  if (revokedAt !== null) return 'revoked';
  return expiresAt <= now ? 'expired' : 'open';
};

/** Whether an account with that address may accept the invitation. */
export const mayBeAcceptedBy = ({ email }: Pick<Invitation, 'email'>, address: string): boolean =>
  email === null || addressKey(email) === addressKey(address);
