import { stamp, stampOrNull } from '../addresses.js';
import { fullName, type Issue, type Milestone, type TimelineItem } from '../records.js';
import { accountView } from './account-view.js';
import { connection, type PageArguments } from './connection.js';
import type { ViewScope } from './view-scope.js';

export const milestoneView = (scope: ViewScope, milestone: Milestone): object => ({
  __typename: 'Milestone',
  id: milestone.nodeId,
  number: milestone.number,
  title: milestone.title,
  description: null,
  state: milestone.state.toUpperCase(),
  closed: milestone.state === 'closed',
  dueOn: stampOrNull(milestone.dueOn),
  createdAt: stamp(milestone.createdAt),
  updatedAt: stamp(milestone.updatedAt),
  closedAt: stampOrNull(milestone.closedAt),
  url: `${scope.webUrl}/${fullName(milestone.repository)}/milestone/${milestone.number}`,
  resourcePath: `/${fullName(milestone.repository)}/milestone/${milestone.number}`,
  repository: () => scope.home(milestone.repository),
});

/** `MilestonedEvent` as the filter of a timeline writes it: `MILESTONED_EVENT`. */
const itemType = (kind: TimelineItem['kind']): string => kind.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase();

const itemView = (scope: ViewScope, item: TimelineItem) => ({
  __typename: item.kind,
  id: item.nodeId,
  createdAt: stamp(item.at),
  actor: () => accountView(scope, item.actor),
  ...('milestoneTitle' in item ? { milestoneTitle: item.milestoneTitle } : {}),
  ...('stateReason' in item ? { stateReason: item.stateReason.toUpperCase() } : {}),
  ...('label' in item ? { label: { __typename: 'Label', id: item.label, name: item.label } } : {}),
  ...('currentTitle' in item ? { currentTitle: item.currentTitle, previousTitle: item.previousTitle } : {}),
  ...('from' in item ? { fromRepository: () => scope.home(item.from) } : {}),
});

interface TimelineArguments extends PageArguments {
  readonly itemTypes?: readonly string[] | null;
  readonly since?: string | null;
}

const timelineOf = (scope: ViewScope, { timeline, updatedAt }: Issue, page: TimelineArguments) => {
  const since = page.since ? Date.parse(page.since) : Number.NEGATIVE_INFINITY;
  const rows = timeline
    .map((item, place) => ({ item, place }))
    .filter(({ item }) => item.at >= since && (page.itemTypes?.includes(itemType(item.kind)) ?? true));
  const shown = connection('timelineItems', rows, page, {
    keyOf: ({ place }) => [place],
    show: ({ item }) => itemView(scope, item),
  });
  return {
    ...shown,
    filteredCount: rows.length,
    pageCount: () => shown.nodes().length,
    totalCount: timeline.length,
    updatedAt: stamp(updatedAt),
  };
};

export const issueView = (scope: ViewScope, issue: Issue): object => {
  const path = `/${fullName(issue.repository)}/${issue.pullRequest ? 'pull' : 'issues'}/${issue.number}`;
  return {
    __typename: issue.pullRequest ? 'PullRequest' : 'Issue',
    id: issue.nodeId,
    databaseId: issue.id,
    fullDatabaseId: String(issue.id),
    number: issue.number,
    title: issue.title,
    body: '',
    bodyText: '',
    state: issue.state.toUpperCase(),
    closed: issue.state === 'closed',
    // Duplicates look like work not done to callers that do not ask for them.
    stateReason: ({ enableDuplicate }: { readonly enableDuplicate?: boolean | null }) =>
      issue.stateReason === 'duplicate' && !enableDuplicate
        ? 'NOT_PLANNED'
        : (issue.stateReason?.toUpperCase() ?? null),
    issueType:
      issue.type === null
        ? null
        : { __typename: 'IssueType', id: `IT_${issue.type}`, name: issue.type, isEnabled: true },
    createdAt: stamp(issue.createdAt),
    updatedAt: stamp(issue.updatedAt),
    closedAt: stampOrNull(issue.closedAt),
    url: `${scope.webUrl}${path}`,
    resourcePath: path,
    locked: false,
    isPinned: false,
    author: () => accountView(scope, issue.author),
    repository: () => scope.home(issue.repository),
    milestone: () => (issue.milestone === null ? null : milestoneView(scope, issue.milestone)),
    labels: (page: PageArguments) =>
      connection('labels', [...issue.labels.entries()], page, {
        keyOf: ([place]) => [place],
        show: ([, name]) => ({ __typename: 'Label', id: `LA_${name}`, name, color: 'ededed', isDefault: false }),
      }),
    timelineItems: (page: TimelineArguments) => timelineOf(scope, issue, page),
  };
};
