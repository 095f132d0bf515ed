import type { ReleaseFacts } from './facts.js';

const NO_BUGS = Object.freeze({ critical: 0, major: 0, minor: 0, unspecified: 0 });

/** The facts as they would be if no issue had been read yet. */
export const beforeImport = (facts: ReleaseFacts): ReleaseFacts => ({
  ...facts,
  scope: { done: 0, total: 0 },
  quality: { resolved: 0, total: 0, open: NO_BUGS },
});

/**
 * The facts after the best end that an import can have: every issue is done, but for the critical bugs that are known to be
 * open, since they are a reason of their own.
 */
export const afterImport = (facts: ReleaseFacts): ReleaseFacts => {
  const { critical } = facts.quality.open;
  const total = Math.max(1, facts.scope.total);
  const bugs = facts.quality.total;
  return {
    ...facts,
    scope: { done: total - critical, total },
    quality: { resolved: bugs - critical, total: bugs, open: { ...NO_BUGS, critical } },
    issuesPending: false,
  };
};
