import type { Instant } from '../instant.js';
import type { ClaimedConnection } from './host-connection.js';
import type { ImportState } from './import-state.js';
import type { RepositoryLink } from './repository-link.js';

/** A link with where its import stands. */
export interface LinkedRepository {
  readonly link: RepositoryLink;
  readonly state: ImportState;
}

/** What a project's imported records come from. */
export interface RepositoryOrigin {
  readonly host: string;
  readonly repositoryId: string;
}

/** Asks that links of a repository be looked at. */
export interface Hurry {
  readonly host: string;
  readonly repositoryId: string;
  readonly dueAt: Instant;
  readonly suspectIssueIds: readonly string[];
}

export interface RepositoryLinkStore {
  /**
   * Links the project, in place of whatever it was linked to; since when its issues stand still is kept. Marks releases as
   * changed by `linkedAt` that become pending or are no longer.
   */
  put(linked: LinkedRepository): Promise<void>;
  ofProject(projectId: string): Promise<LinkedRepository | undefined>;
  /** The repository the project was last linked to, whether it still is or not; undefined: it never was. */
  lastOf(projectId: string): Promise<RepositoryOrigin | undefined>;
  byId(linkId: string): Promise<LinkedRepository | undefined>;
  /** All that are read with that connection, by id. */
  ofConnection(connection: { readonly userId: string; readonly host: string }): Promise<readonly LinkedRepository[]>;
  /**
   * Removes the link if it is still that one; its issues, releases and records stay. Marks the project's releases as changed
   * if its issues stood still, and those that were pending.
   */
  remove(linkId: string): Promise<boolean>;
  /** Of the links of that connection the one due longest at `now`. */
  dueOf(
    connection: { readonly userId: string; readonly host: string },
    now: Instant,
  ): Promise<LinkedRepository | undefined>;
  /**
   * Stores where an import stands, with the repository as it is called now; false, and nothing stored, when the claim is
   * somebody else's by now or the link is gone. Suspects and an earlier due moment that arrived since `seen` are kept. A run
   * that is over (`startedAt` null) and during which the link was made due is due again by then. Marks releases as changed
   * at `now` that become pending or are no longer.
   */
  save(claim: ClaimedConnection, linked: LinkedRepository, seen: ImportState, now: Instant): Promise<boolean>;
  /**
   * Makes the links of a repository due, and adds suspects; answers how many links. One that is due by then already becomes
   * due a millisecond earlier than it was, so that `save` can tell.
   */
  hurry(hurry: Hurry): Promise<number>;
  /** Makes one link due, in the same way. */
  hurryLink(linkId: string, dueAt: Instant): Promise<void>;
  /**
   * Since when the project's issues stand still because the host cannot be read; null: they do not. Marks the project's
   * releases as changed at `now` if that is news.
   */
  setStale(projectId: string, asOf: Instant | null, now: Instant): Promise<void>;
  /** Remembers a delivery; false when it was remembered before. */
  receive(host: string, deliveryId: string, at: Instant): Promise<boolean>;
  /** Forgets deliveries from before; answers how many. */
  removeDeliveries(before: Instant): Promise<number>;
}
