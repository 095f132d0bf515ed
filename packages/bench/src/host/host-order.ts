import type { Fault, FaultScope } from '@shipworthy/adapters/test-host';

/** What a repository is filled with. */
export interface RepositoryFill {
  readonly path: string;
  readonly issues: number;
  readonly deployments: number;
}

/** Where the host is, and how one gets in. */
export interface HostAccess {
  readonly webUrl: string;
  readonly apiUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** For a reader that need not be approved. */
  readonly token: string;
}

/** The texts of the queries that were last asked for pages of rows. */
export interface PageQueries {
  readonly issues: string;
  readonly deployments: string;
}

/** What the host's process is told over its channel; it answers each order with one reply. */
export type HostOrder =
  /** Adds a repository. */
  | { readonly kind: 'fill'; readonly repository: RepositoryFill }
  /** Lets people be sent back to that address. */
  | { readonly kind: 'register'; readonly redirectUrl: string }
  /** What was asked since the last order of this kind: `Traffic`. */
  | { readonly kind: 'traffic' }
  /** `PageQueries` */
  | { readonly kind: 'queries' }
  /** What is in the repository: `WorldCount`. */
  | { readonly kind: 'count'; readonly path: string }
  | { readonly kind: 'begin deployments'; readonly path: string; readonly count: number }
  /** Lets a fault befall requests from now on. */
  | { readonly kind: 'inject'; readonly fault: Fault; readonly scope: FaultScope }
  /** Takes all faults away; nobody can reach a host that is shut. */
  | { readonly kind: 'calm' | 'shut' | 'open' | 'revoke' }
  /** Whether the grant was ever shown to another origin. */
  | { readonly kind: 'leaked' }
  /** Changes issues and ends every deployment that has begun. */
  | { readonly kind: 'change issues'; readonly path: string; readonly count: number };
