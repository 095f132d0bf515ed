/** What the host sent, as it came. */
export interface HookDelivery {
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array;
}

export const IMPORT_PARTS = ['milestones', 'issues', 'deployments', 'test_runs'] as const;
/** What is imported from a repository. */
export type ImportPart = (typeof IMPORT_PARTS)[number];

/** That something changed at the host. A notice carries no data: what changed is read from the host itself. */
export interface HookNotice {
  /** The same for every repetition of a delivery. */
  readonly deliveryId: string;
  /** null: concerns no repository. */
  readonly repositoryId: string | null;
  /** What may have changed; empty: nothing that matters here. */
  readonly parts: readonly ImportPart[];
  /** Issues that may not be there any more. */
  readonly suspectIssueIds: readonly string[];
}

/** The host's webhooks, for whoever sets them up in a repository's settings at the host. */
export interface HostHooks {
  /** The names of the events to choose at the host. */
  readonly events: readonly string[];
  /** The secret of a repository's webhook; the same whenever it is asked for. */
  secretOf(repositoryId: string): string;
  /**
   * What a delivery says.
   * @throws DomainError `wrong-signature` when it was not signed with its repository's secret; `invalid` when it is no delivery of this host
   */
  read(delivery: HookDelivery): HookNotice;
}
