import type { Issue, Repository } from './records.js';

type Order = 'createdAt' | 'updatedAt';

const views = new WeakMap<Repository, { readonly changes: number; readonly by: Map<Order, readonly Issue[]> }>();

/** Issues and pull requests, oldest first by that moment and then by id; sorted only after a change. */
export const sortedIssues = (repository: Repository, order: Order): readonly Issue[] => {
  let view = views.get(repository);
  if (view?.changes !== repository.issueChanges) {
    view = { changes: repository.issueChanges, by: new Map() };
    views.set(repository, view);
  }
  const known = view.by.get(order);
  if (known !== undefined) return known;
  const sorted = [...repository.issues].sort((a, b) => a[order] - b[order] || a.id - b.id);
  view.by.set(order, sorted);
  return sorted;
};
