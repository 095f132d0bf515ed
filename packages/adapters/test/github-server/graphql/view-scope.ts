import type { Addresses } from '../addresses.js';
import type { Repository } from '../records.js';

/** What a view is made with. */
export interface ViewScope extends Addresses {
  /** Shows the repository that a part is in, so that parts need not know how. */
  readonly home: (repository: Repository) => object;
}
