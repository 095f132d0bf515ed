import { DomainError } from '@shipworthy/domain';
import { pause } from '../clock/run-time.js';

/** The connection was lost or never made, and the driver gives no error code. */
export class ConnectionLost extends Error {
  override readonly name: string = 'ConnectionLost';
}

const REFUSALS: Readonly<Record<string, () => DomainError>> = {
  users_email: () => new DomainError('email-taken', 'There is an account with this email address.'),
  projects_name: () => new DomainError('name-taken', 'The team has a project of this name.'),
  releases_name: () => new DomainError('name-taken', 'The project has a release of this name.'),
  releases_active: () => new DomainError('release-active', 'Another release of the project is active.'),
  releases_external: () =>
    new DomainError(
      'external-id-conflict',
      'Another release of the project is made from the same milestone at the host.',
    ),
  event_sources_source: () =>
    new DomainError('event-source-taken', 'Another project of the team has this event source.'),
  teams_demo: () => new DomainError('name-taken', 'There is a demo already.'),
  issues_external: () =>
    new DomainError(
      'external-id-conflict',
      'Another issue of the project is imported from the same issue at the host.',
    ),
};

/** The names of unique constraints by their columns: SQLite names only the columns of a violated one. */
const SQLITE_COLUMNS: Readonly<Record<string, string>> = {
  'users.email_key': 'users_email',
  'teams.demo': 'teams_demo',
  'projects.team_id, projects.name': 'projects_name',
  'releases.project_id, releases.name': 'releases_name',
  'releases.project_id': 'releases_active',
  'releases.project_id, releases.external_id': 'releases_external',
  'issues.project_id, issues.external_id': 'issues_external',
  'event_sources.source, event_sources.team_id': 'event_sources_source',
};

const UNREACHABLE = new Set([
  'EACCES',
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'EMFILE',
  'ENETDOWN',
  'ENETRESET',
  'ENETUNREACH',
  'ENOENT',
  'ENOTCONN',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
  'SQLITE_BUSY',
  'SQLITE_CANTOPEN',
  'SQLITE_FULL',
  'SQLITE_INTERRUPT',
  'SQLITE_IOERR',
  'SQLITE_LOCKED',
  'SQLITE_NOLFS',
  'SQLITE_NOMEM',
  'SQLITE_PROTOCOL',
  'SQLITE_READONLY',
]);

// Classes 08, 28, 53, 57, 58: connection, authorisation, resources, operator, system. Then single codes: a missing
// database, lost races, locks not available, objects in use, an idle transaction that was ended, a read-only server.
const UNAVAILABLE_STATE = /^(08|28|53|57|58)...$|^(3D000|40001|40P01|55P03|55006|25P03|25006)$/;

/** The failure's code, where it has one. */
export const codeOf = (error: unknown): string | undefined =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined;

/** Whether the database rolled the transaction back only because of concurrent ones: a retry may succeed. */
export const isLostRace = (error: unknown): boolean => {
  const code = error instanceof DomainError ? error.details.reason : codeOf(error);
  return code === '40001' || code === '40P01';
};

/** How often the work is tried in all. */
const TRIES = 5;
/** The pause before the second try, in milliseconds; each further pause is twice as long. */
const PAUSE_MS = 50;

/**
 * Runs the work again where the database rolled all of it back because of a deadlock or a serialization failure. It waits before
 * each try: a loser that begins again at once can take the lock before the winner wakes up, and lose again.
 * @throws the failure of the fifth try
 */
export const despiteLostRaces = async <Result>(work: () => Promise<Result>, wait = pause): Promise<Result> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isLostRace(error) || attempt === TRIES) throw error;
      await wait(PAUSE_MS * 2 ** (attempt - 1));
    }
  }
};

/** Whether a foreign key was violated: a row refers to one that is missing or was removed. */
export const isBrokenReference = (error: unknown): boolean =>
  codeOf(error) === '23503' ||
  (codeOf(error) === 'SQLITE_CONSTRAINT' && error instanceof Error && error.message.includes('FOREIGN KEY'));

/** Whether a store refused the request and changed nothing; false for an outage. */
export const isStoreRefusal = (error: unknown): boolean => error instanceof DomainError && error.code !== 'unavailable';

/** The beginnings of Citus's messages about a lost node, taken from its source code. */
const LOST_NODE = [
  'failure on connection ',
  'postmaster was shut down',
  'failed to prepare transaction ',
  'could not commit transaction for shard ',
  'execution cannot recover from multiple connection failures',
] as const;

/** Messages about a broken connection from Citus to a worker; empty when the answer was lost, too. */
const BROKEN_CONNECTION = /connection|closed|(receive|send) data|SSL (SYSCALL )?error|socket|^$/i;

/** Whether Citus lost a node during a statement or a commit, which it reports with the code of an internal error. */
const isLostNode = (error: object, code: string): boolean => {
  const { message = '', where = '' } = error as { readonly message?: string; readonly where?: string };
  const isLostWorker = where.includes('while executing command on ') && BROKEN_CONNECTION.test(message);
  return code === 'XX000' && (isLostWorker || LOST_NODE.some((start) => message.startsWith(start)));
};

/** Whether the database could not be reached or gave up. */
export const isUnavailable = (error: unknown): boolean => error instanceof DomainError && error.code === 'unavailable';

/**
 * Finds the constraint in a message. Of a worker's refusal Citus passes on only the message, where a shard's number
 * follows the name.
 */
const constraintInText = (message: string): string | undefined => /"(\w+?)(?:_\d+)?"/.exec(message)?.[1];

const constraintOf = (error: object, code: string): string | undefined => {
  if (code === '23505') {
    const { constraint, message } = error as { readonly constraint?: string; readonly message?: string };
    return constraint?.replace(/_\d+$/, '') ?? constraintInText(message ?? '');
  }
  if (code !== 'SQLITE_CONSTRAINT' || !(error instanceof Error)) return undefined;
  const columns = /UNIQUE constraint failed: (.*)$/.exec(error.message)?.[1];
  return columns === undefined ? undefined : SQLITE_COLUMNS[columns];
};

/**
 * Returns the DomainError that a database's failure means: `unavailable` when it cannot be reached or gave up, or the
 * refusal that belongs to a violated unique constraint. Returns a DomainError, and any other error (a bug), unchanged.
 */
export const domainErrorOf = (error: unknown): unknown => {
  if (typeof error !== 'object' || error === null || error instanceof DomainError) return error;
  if (error instanceof ConnectionLost) return unavailable(error);
  if (error instanceof AggregateError) return domainErrorOf(error.errors[0]);
  const code = codeOf(error);
  if (code === undefined) return error;
  if (UNREACHABLE.has(code) || UNAVAILABLE_STATE.test(code) || isLostNode(error, code)) return unavailable(error);
  return REFUSALS[constraintOf(error, code) ?? '']?.() ?? error;
};

const unavailable = (cause: object): DomainError =>
  new DomainError(
    'unavailable',
    'The database cannot be reached at the moment; whether the change was made is unknown.',
    {
      reason: codeOf(cause) ?? (cause instanceof Error ? cause.name : 'unknown'),
      // For the log; it may name servers.
      cause: cause instanceof Error ? cause.message : String(cause),
    },
  );
