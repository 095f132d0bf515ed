import type { HostIssue } from '../../src/repository/host.js';

/** An open issue without a milestone, of a host that tells no history. */
export const hostIssueOf = (over: Partial<HostIssue> = {}): HostIssue => ({
  id: 'I1',
  number: 12,
  title: 'Pay by card',
  url: 'https://host.example/acme/shop/issues/12',
  state: 'open',
  closedAs: null,
  type: null,
  labels: [],
  milestoneId: null,
  createdAt: 1_000,
  updatedAt: 2_000,
  closedAt: null,
  history: null,
  ...over,
});
