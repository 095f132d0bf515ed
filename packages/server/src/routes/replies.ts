import { type Actor, DomainError, type Instant, type Principal, type Role } from '@shipworthy/domain';
import type { ConfiguredHost, Ports } from '@shipworthy/domain/ports';
import { wireMomentOrNull } from '../wire.js';

/** The members of a RouteContext that make an actor. */
export interface AskedBy<Needs extends Role | null> {
  readonly principal: Principal;
  readonly address: string;
  readonly requestId: string;
  readonly needs: Needs;
}

/** Makes the actor of a command from a request. A command on a team compiles only where the table names a role. */
export const actorOf = <Needs extends Role | null>({
  principal,
  address,
  requestId,
  needs,
}: AskedBy<Needs>): Actor & { readonly needs: Needs } => ({ principal, address, requestId, needs });

/** One page of a list as its answer: rows in wire form and the cursor of the next page. */
export const pageReply = <Row>(data: readonly Row[], next: string | null) =>
  ({ status: 200, body: { data, next_cursor: next }, next }) as const;

/** One page of records that may be removed for age. `keptSince`: since then all are kept; null: none was removed. */
export const recordPageReply = <Row>(data: readonly Row[], next: string | null, keptSince: Instant | null) => {
  const page = pageReply(data, next);
  return { ...page, body: { ...page.body, kept_since: wireMomentOrNull(keptSince) } } as const;
};

/** Returns the repository host of this server. @throws DomainError `host-not-configured` */
export const needHost = ({ repositoryHost }: Ports): ConfiguredHost => {
  if (repositoryHost !== null) return repositoryHost;
  throw new DomainError(
    'host-not-configured',
    'The server is not set up to connect the repository host; its administrator must enable it.',
  );
};

/** Why hosts give no approval: RFC 6749 (4.1.2.1), and what GitHub adds to it. */
const KNOWN_ERRORS: readonly string[] = [
  'invalid_request',
  'unauthorized_client',
  'unsupported_response_type',
  'invalid_scope',
  'server_error',
  'temporarily_unavailable',
  'redirect_uri_mismatch',
  'application_suspended',
];

/**
 * Why a person came back from the host without an approval; `host` is its name for people. `error` comes from the address,
 * which a stranger may have written: only known words of it are repeated, and nothing of its description.
 */
export const refusedApproval = (host: string, { error }: { readonly error?: string }): DomainError => {
  const said = (words: string) => new DomainError('approval-unusable', words);
  if (error === 'access_denied')
    return said(`You did not let Shipworthy read at ${host}. Connect again if you want to.`);
  if (error === undefined) return said(`${host} sent neither an approval nor a reason. Connect again.`);
  const why = KNOWN_ERRORS.includes(error) ? ` (${error})` : '';
  return said(
    `${host} gave no approval${why}. Connect again; the administrator of the server knows its OAuth application.`,
  );
};
