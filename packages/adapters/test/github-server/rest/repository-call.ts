import type { Addresses } from '../addresses.js';
import type { Repository } from '../records.js';

/** A request for a repository's part. */
export interface RepositoryCall {
  readonly addresses: Addresses;
  readonly repository: Repository;
  /** The whole address, with its query. */
  readonly address: URL;
  /** What the pattern caught. */
  readonly caught: readonly string[];
}
