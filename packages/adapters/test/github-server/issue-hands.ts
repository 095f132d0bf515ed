import type { Issue, Milestone, Moment, Repository, TimelineItem } from './records.js';
import type { Registry } from './registry.js';

export interface MilestoneSeed {
  readonly title: string;
  readonly dueOn?: Moment;
  readonly state?: 'open' | 'closed';
  readonly at?: Moment;
}

export interface IssueSeed {
  readonly title: string;
  readonly labels?: readonly string[];
  readonly type?: string;
  readonly milestone?: Milestone;
  readonly pullRequest?: boolean;
  readonly author?: string;
  readonly at?: Moment;
}

/** A change of an issue; what is missing stays. */
export interface IssueEdit {
  readonly title?: string;
  readonly type?: string | null;
  readonly labels?: readonly string[];
  readonly milestone?: Milestone | null;
  /** `open` reopens. */
  readonly state?: 'open' | 'completed' | 'not_planned' | 'duplicate';
  readonly by?: string;
  readonly at?: Moment;
}

export interface IssueHands {
  addMilestone(repository: Repository, seed: MilestoneSeed): Milestone;
  editMilestone(milestone: Milestone, edit: Partial<MilestoneSeed>): void;
  addIssue(repository: Repository, seed: IssueSeed): Issue;
  editIssue(issue: Issue, edit: IssueEdit): void;
  deleteIssue(issue: Issue): void;
  /** Gives it another number and node id there, as the host does; its milestone stays behind. */
  transferIssue(issue: Issue, to: Repository, at?: Moment): void;
}

/** An entry of the timeline before it has its id. */
type Happening<Item = TimelineItem> = Item extends TimelineItem ? Omit<Item, 'nodeId' | 'at' | 'actor'> : never;

export const issueHands = (registry: Registry): IssueHands => {
  const changed = (repository: Repository): void => {
    repository.issueChanges += 1;
  };
  const happened = (issue: Issue, at: Moment, by: string, happening: Happening): void => {
    const nodeId = registry.nodeId('EV', registry.nextId());
    issue.timeline.push({ nodeId, at, actor: registry.account(by), ...happening } as TimelineItem);
  };

  const editState = (issue: Issue, state: NonNullable<IssueEdit['state']>, at: Moment, by: string): void => {
    issue.state = state === 'open' ? 'open' : 'closed';
    issue.stateReason = state === 'open' ? 'reopened' : state;
    issue.closedAt = state === 'open' ? null : at;
    happened(issue, at, by, state === 'open' ? { kind: 'ReopenedEvent' } : { kind: 'ClosedEvent', stateReason: state });
  };
  const move = (issue: Issue, to: Milestone | null, at: Moment, by: string): void => {
    const from = issue.milestone;
    if (from === to) return;
    if (from !== null) happened(issue, at, by, { kind: 'DemilestonedEvent', milestoneTitle: from.title });
    if (to !== null) happened(issue, at, by, { kind: 'MilestonedEvent', milestoneTitle: to.title });
    issue.milestone = to;
  };
  const relabel = (issue: Issue, labels: readonly string[], at: Moment, by: string): void => {
    for (const label of issue.labels) {
      if (!labels.includes(label)) happened(issue, at, by, { kind: 'UnlabeledEvent', label });
    }
    for (const label of labels) {
      if (!issue.labels.includes(label)) happened(issue, at, by, { kind: 'LabeledEvent', label });
    }
    issue.labels = labels;
  };

  return {
    addMilestone: (repository, seed) => {
      const id = registry.nextId();
      const at = registry.moment(seed.at);
      const milestone: Milestone = {
        id,
        nodeId: registry.nodeId('MI', id),
        number: repository.milestones.length + 1,
        repository,
        creator: repository.owner,
        title: seed.title,
        state: seed.state ?? 'open',
        dueOn: seed.dueOn === undefined ? null : registry.moment(seed.dueOn),
        createdAt: at,
        updatedAt: at,
        closedAt: seed.state === 'closed' ? at : null,
      };
      repository.milestones.push(milestone);
      return registry.know(milestone.nodeId, milestone);
    },
    editMilestone: (milestone, edit) => {
      const at = registry.moment(edit.at);
      milestone.title = edit.title ?? milestone.title;
      milestone.dueOn = edit.dueOn ?? milestone.dueOn;
      milestone.state = edit.state ?? milestone.state;
      milestone.closedAt = milestone.state === 'closed' ? (milestone.closedAt ?? at) : null;
      milestone.updatedAt = at;
    },
    addIssue: (repository, seed) => {
      const id = registry.nextId();
      const at = registry.moment(seed.at);
      const by = seed.author ?? repository.owner.login;
      const issue: Issue = {
        id,
        nodeId: registry.nodeId(seed.pullRequest ? 'PR' : 'I', id),
        number: repository.nextNumber,
        repository,
        author: registry.account(by),
        pullRequest: seed.pullRequest ?? false,
        title: seed.title,
        state: 'open',
        stateReason: null,
        type: seed.type ?? null,
        labels: [],
        milestone: null,
        createdAt: at,
        updatedAt: at,
        closedAt: null,
        timeline: [],
      };
      repository.nextNumber += 1;
      relabel(issue, seed.labels ?? [], at, by);
      move(issue, seed.milestone ?? null, at, by);
      repository.issues.push(issue);
      changed(repository);
      return registry.know(issue.nodeId, issue);
    },
    editIssue: (issue, edit) => {
      const at = registry.moment(edit.at);
      const by = edit.by ?? issue.repository.owner.login;
      if (edit.title !== undefined) {
        happened(issue, at, by, { kind: 'RenamedTitleEvent', previousTitle: issue.title, currentTitle: edit.title });
        issue.title = edit.title;
      }
      if (edit.type !== undefined) issue.type = edit.type;
      if (edit.labels !== undefined) relabel(issue, edit.labels, at, by);
      if (edit.milestone !== undefined) move(issue, edit.milestone, at, by);
      if (edit.state !== undefined) editState(issue, edit.state, at, by);
      issue.updatedAt = at;
      changed(issue.repository);
    },
    deleteIssue: (issue) => {
      issue.repository.issues.splice(issue.repository.issues.indexOf(issue), 1);
      registry.forget(issue.nodeId);
      changed(issue.repository);
    },
    transferIssue: (issue, to, at) => {
      const from = issue.repository;
      from.issues.splice(from.issues.indexOf(issue), 1);
      changed(from);
      // The old node id still leads to the issue, which is in another repository now.
      issue.nodeId = registry.nodeId('I', registry.nextId());
      registry.know(issue.nodeId, issue);
      issue.repository = to;
      issue.number = to.nextNumber;
      issue.milestone = null;
      to.nextNumber += 1;
      issue.updatedAt = registry.moment(at);
      happened(issue, issue.updatedAt, from.owner.login, { kind: 'TransferredEvent', from });
      to.issues.push(issue);
      changed(to);
    },
  };
};
