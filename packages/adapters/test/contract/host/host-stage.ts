import type { Instant } from '@shipworthy/domain';
import type { Clock, ConfiguredHost, HookDelivery, RepositoryIdentity } from '@shipworthy/domain/ports';
import type { Handle, HostWorld } from './host-world.js';

/**
 * What a host may do instead of answering. `slow`: answers after some seconds; `silent`: takes the request and never
 * answers; `forbidden`: 403 in the host's own words, without one on limits; `page*`: a page for people, with status 200, 401 or 502; `cut`: breaks off within the body; `elsewhere`: a
 * redirect to another origin; `unreachable`: no connection comes about, or it ends before an answer.
 */
export type HostFault =
  | 'slow'
  | 'silent'
  | 'server-error'
  | 'forbidden'
  | 'page'
  | 'page-unauthorized'
  | 'page-bad-gateway'
  | 'cut'
  | 'elsewhere'
  | 'unreachable'
  | { readonly limitedUntil: Instant };

/** A request as the host saw it. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  /** It bore a validator. */
  readonly conditional: boolean;
}

/** The subject of a webhook. */
export type HookSubject =
  | { readonly about: 'milestone' | 'deployment' | 'test_run'; readonly repository: RepositoryIdentity }
  | { readonly about: 'issue'; readonly repository: RepositoryIdentity; readonly issue: Handle }
  /** The issue was deleted, or moved elsewhere. */
  | { readonly about: 'issue_gone'; readonly repository: RepositoryIdentity; readonly issue: Handle }
  /** Something that concerns no imported part, such as a comment on code. */
  | { readonly about: 'nothing'; readonly repository: RepositoryIdentity };

export interface HookOptions {
  readonly secret: string;
  /** A new id unless given; the same id is a repetition. */
  readonly deliveryId?: string;
}

/** An adapter with a host of its own to talk to, over sockets, and with hands to change that host. */
export interface HostStage {
  readonly host: ConfiguredHost;
  /** The clock that the adapter was given; moves with the machine's. */
  readonly clock: Clock;
  /** What hosts differ in. */
  readonly gives: {
    /** Issues come with their history. */
    readonly history: boolean;
    /** Readings of these come with a validator and can be unchanged. */
    readonly validators: { readonly milestones: boolean; readonly issues: boolean; readonly deployments: boolean };
    /** Issues have types. */
    readonly types: boolean;
    /** Grants that last until they are revoked; otherwise every grant ends. */
    readonly lastingGrants: boolean;
    /** An issue can be deleted, or moved to another repository, without leaving a trace in lists. */
    readonly issuesGone: boolean;
  };
  readonly world: HostWorld;
  /** Where approvals lead back to: registered at the host, exactly. */
  readonly redirectUrl: string;
  /** Name of the account that approves. */
  readonly accountName: string;

  /** Goes to the page of an approval as a person does, approves, and answers the address that it leads back to. */
  approve(url: string): Promise<URL>;
  /** Makes a token of the account's own in its settings at the host, which lasts; one that reads unless told. */
  makeToken(power?: 'reads' | 'writes'): string;
  /** From now on approvals yield grants that end. */
  endGrantsSoon(): void;
  /** Ends every access token; what renews them stays. */
  expireGrants(): void;
  /** Ends everything that was granted, as an account does in its settings at the host. */
  revokeGrants(): void;
  /** Whether the host would still let anybody read with something it granted. */
  hasGrants(): boolean;

  /** The next `times` requests fail so, or all until `recover`. */
  fail(fault: HostFault, times?: number): void;
  recover(): void;
  /** Whether the other origin that `elsewhere` leads to was ever shown a grant. */
  leaked(): boolean;

  /** Since the stage was opened, oldest first. */
  requests(): readonly SeenRequest[];
  /** A delivery of the host's webhook, signed with the secret. */
  delivery(subject: HookSubject, options: HookOptions): Omit<HookDelivery, 'projectId'>;
  close(): Promise<void>;
}

/** Opens a stage, empty at first. */
export type OpenHost = () => Promise<HostStage>;

/** The stage a suite runs on, once it is open. */
export type Staged = () => HostStage;
