import type { RepositoryLink, RepositoryRequest } from '@shipworthy/client';

/** The fields for the labels and types that the repository uses, where the usual ones do not fit. */
export const MAPPING_FIELDS = [
  ['bug', 'Bugs'],
  ['feature', 'Features'],
  ['chore', 'Chores'],
  ['in_progress', 'Being worked on'],
  ['critical', 'Critical bugs'],
  ['major', 'Major bugs'],
  ['minor', 'Minor bugs'],
] as const;

type MappingField = (typeof MAPPING_FIELDS)[number][0];

/** What is imported from a repository, in a form: lists as they were typed, with commas. */
export interface LinkDraft {
  readonly which: 'all' | 'none' | 'some';
  readonly milestones: readonly string[];
  readonly labels: string;
  readonly path: string;
  readonly deployments: boolean;
  readonly testRuns: RepositoryLink['test_runs'];
  readonly mapping: Readonly<Record<MappingField, string>>;
}

const EMPTY_MAPPING = Object.fromEntries(MAPPING_FIELDS.map(([field]) => [field, ''])) as LinkDraft['mapping'];

/** The defaults of a new link. */
export const NEW_LINK: LinkDraft = {
  which: 'all',
  milestones: [],
  labels: '',
  path: '',
  deployments: true,
  testRuns: 'checks',
  mapping: EMPTY_MAPPING,
};

export const linkDraftOf = (link: RepositoryLink): LinkDraft => {
  const { milestones, issue_filter: filter, mapping } = link;
  return {
    which: typeof milestones === 'string' ? milestones : 'some',
    milestones: typeof milestones === 'string' ? [] : milestones.map(String),
    labels: filter.labels.join(', '),
    path: filter.path_prefix ?? '',
    deployments: link.deployments,
    testRuns: link.test_runs,
    mapping: Object.fromEntries(
      MAPPING_FIELDS.map(([field]) => [field, mapping[field].join(', ')]),
    ) as LinkDraft['mapping'],
  };
};

const listed = (text: string): readonly string[] =>
  text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');

/** The numbers of milestones in a text, as `12, 14` or `#12 #14`. */
export const numbersIn = (text: string): readonly string[] => [...new Set(text.match(/\d+/g) ?? [])];

export const linkRequest = (repository: string, draft: LinkDraft): RepositoryRequest => ({
  repository,
  issue_filter: { labels: listed(draft.labels), path_prefix: draft.path.trim() === '' ? null : draft.path.trim() },
  mapping: Object.fromEntries(MAPPING_FIELDS.map(([field]) => [field, listed(draft.mapping[field])])),
  milestones: draft.which === 'some' ? draft.milestones.map(Number) : draft.which,
  deployments: draft.deployments,
  test_runs: draft.testRuns,
});
