import type { Issue, Release } from '@shipworthy/client';
import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { client } from '../../api/client.js';
import { type Paged, usePaged } from '../../api/paged.js';
import { useProject, useReleases } from '../../api/project.js';
import { refreshShown, useResource } from '../../api/resource.js';
import { useMay } from '../../api/session.js';
import { useAction } from '../../api/use-action.js';
import { useQuery } from '../../navigation/navigate.js';
import { HOME, inProject, type ProjectPlace, projectAddress, projectKey, UUID } from '../../navigation/places.js';
import { Button } from '../../parts/button.js';
import { Choice, useSettled } from '../../parts/field.js';
import { Icon } from '../../parts/icon.js';
import { chosenOf, ExportCsv, FindField, searchQuery, withoutEmpty } from '../../parts/list-filter.js';
import { Empty, PageFrame, ProjectNav } from '../../parts/page.js';
import { Shown } from '../../parts/shown.js';
import { ShowMore, Table } from '../../parts/table.js';
import { isolated } from '../../wording/isolate.js';
import { ISSUE_STATE_TITLES, releaseChoices } from '../../wording/names.js';
import { IssueForm, kindText, SEVERITY_CHOICES, STATE_CHOICES, TYPE_CHOICES } from './issue-form.js';
import './issues.css';
import { offerUndo } from '../../parts/undo.js';

/** The project's issues, entered by hand or read from the linked repository. */
export const Issues = () => {
  const { teamId = '', projectId = '' } = useRoute().params;
  const place = { teamId, projectId };
  const project = useProject(place);
  const releases = useReleaseChoices(place);
  const [query, changeQuery] = useQuery();
  const filter = filterIn(query);
  const wanted = wantedOf({ ...filter, text: useSettled(filter.text) });
  const [edited, setEditing] = useState<Issue | 'new' | undefined>(undefined);
  const issues = usePaged(projectKey(place, `issues?${new URLSearchParams(wanted)}`), async (page, signal) => {
    const { body } = await client.listIssues({ path: inProject(place), query: { ...page, ...wanted }, signal });
    return body;
  });
  const member = useMay(teamId, 'member');
  const known = project.state.value.value;
  const editing = edited ?? (query.new === 'issue' && member && known ? 'new' : undefined);
  const endEditing = () => {
    setEditing(undefined);
    if (query.new !== undefined) changeQuery({ new: '' });
  };
  const add = (
    <Button look="main" onClick={() => setEditing('new')}>
      <Icon name="plus" />
      New issue
    </Button>
  );
  return (
    <PageFrame
      title={known ? `Issues of ${isolated(known.name)}` : project.state.value.fault && 'Issues'}
      crumbs={
        known
          ? [
              ['Projects', HOME],
              [known.name, projectAddress(place)],
            ]
          : []
      }
      actions={
        known ? (
          <>
            <ExportCsv place={place} file="issues.csv" wanted={wanted} />
            {member ? add : null}
          </>
        ) : undefined
      }
    >
      <ProjectNav place={place} />
      {query.issue === undefined ? (
        <IssueList
          issues={issues}
          place={place}
          add={member ? add : null}
          releases={releases}
          filter={filter}
          onFilter={changeQuery}
          onEdit={member ? setEditing : undefined}
        />
      ) : (
        <OneIssue issueId={query.issue} place={place} releases={releases} onEdit={member ? setEditing : undefined} />
      )}
      {editing === undefined ? null : (
        <IssueForm
          issue={editing === 'new' ? undefined : editing}
          place={place}
          releases={releases}
          releaseId={filter.release || known?.active_release?.id || ''}
          onClose={endEditing}
          onDone={() => {
            endEditing();
            refreshShown(projectKey(place, 'issue'));
          }}
        />
      )}
    </PageFrame>
  );
};

type State = Issue['state'];
type Kind = Issue['type'];
type Severity = NonNullable<Issue['severity']>;

const SORTS = [
  ['', 'Open first'],
  ['created', 'Newest first'],
  ['created-asc', 'Oldest first'],
  ['updated', 'Last changed first'],
] as const;
type Sort = (typeof SORTS)[number][0];

/** The filter and the order of the issues, as the address says them; empty: not filtered by it. */
interface IssueFilter {
  readonly text: string;
  readonly state: State | '';
  readonly type: Kind | '';
  readonly severity: Severity | '';
  readonly release: string;
  readonly sort: Sort;
}

const filterIn = ({
  text = '',
  state,
  type,
  severity,
  release = '',
  sort,
}: Readonly<Record<string, string>>): IssueFilter => ({
  text,
  state: chosenOf(STATE_CHOICES, state),
  type: chosenOf(TYPE_CHOICES, type),
  severity: chosenOf(SEVERITY_CHOICES, severity),
  release: UUID.test(release) ? release : '',
  sort: chosenOf(SORTS, sort),
});

/** The query that asks for what the filter leaves. */
const wantedOf = ({ text, state, type, severity, release, sort }: IssueFilter) => {
  return {
    ...withoutEmpty({ q: searchQuery(text), release_id: release }),
    ...(state === '' ? {} : { state }),
    ...(type === '' ? {} : { type }),
    ...(severity === '' ? {} : { severity }),
    ...(sort === '' ? {} : sort === 'updated' ? { sort } : { sort: 'created' as const }),
    ...(sort === 'created-asc' ? { order: 'asc' as const } : {}),
  };
};

const NO_FILTER = { text: '', state: '', type: '', severity: '', release: '' };

interface IssuesShownProps {
  readonly place: ProjectPlace;
  readonly releases: readonly Release[];
  /** undefined: they may not be changed by this person. */
  readonly onEdit: ((issue: Issue) => void) | undefined;
}

interface IssueListProps extends IssuesShownProps {
  readonly issues: Paged<Issue>;
  /** The button for a new issue; null: this person may not add one. */
  readonly add: ComponentChildren;
  readonly filter: IssueFilter;
  readonly onFilter: (members: Partial<Record<keyof IssueFilter, string>>) => void;
}

/** All issues, or those that the filter leaves. */
const IssueList = ({ issues, place, releases, onEdit, add, filter, onFilter }: IssueListProps) => {
  const { sort, ...narrow } = filter;
  const isFiltered = Object.values(narrow).some((value) => value.trim() !== '');
  return (
    <div class="stack">
      <IssueFilters filter={filter} releases={releases} onFilter={onFilter} />
      <Shown of={issues}>
        {({ rows }) =>
          rows.length === 0 && isFiltered ? (
            <Empty title="No such issue">
              <p>No issue of this project matches the filter.</p>
              <Button onClick={() => onFilter(NO_FILTER)}>Show all issues</Button>
            </Empty>
          ) : rows.length === 0 ? (
            <Empty title="No issue here">
              <p>Scope and quality are counted from the issues of a release: done of all, and bugs resolved.</p>
              {add}
            </Empty>
          ) : (
            <>
              <IssueTable
                issues={rows}
                place={place}
                releases={releases}
                onEdit={onEdit}
                onChange={() => void issues.refresh()}
              />
              <ShowMore of={issues} rows="issues" which="first" />
            </>
          )
        }
      </Shown>
    </div>
  );
};

type IssueFiltersProps = Pick<IssueListProps, 'filter' | 'releases' | 'onFilter'>;

/** The fields that filter and sort the issues. */
const IssueFilters = ({ filter, releases, onFilter }: IssueFiltersProps) => (
  <search class="filters">
    <FindField
      label="Find an issue"
      placeholder="Words of the title, or #42"
      text={filter.text}
      onText={(text) => onFilter({ text })}
    />
    <Choice
      label="State"
      value={filter.state}
      choices={[['', 'Any state'], ...STATE_CHOICES]}
      onValue={(state) => onFilter({ state })}
    />
    <Choice
      label="Type"
      value={filter.type}
      choices={[['', 'Any type'], ...TYPE_CHOICES]}
      onValue={(type) => onFilter({ type })}
    />
    <Choice
      label="Severity"
      value={filter.severity}
      choices={[['', 'Any severity'], ...SEVERITY_CHOICES]}
      onValue={(severity) => onFilter({ severity })}
    />
    <Choice
      label="Release"
      value={filter.release}
      choices={[['', 'All releases'], ...releaseChoices(releases, filter.release)]}
      onValue={(release) => onFilter({ release })}
    />
    <Choice label="Sort" value={filter.sort} choices={SORTS} onValue={(sort) => onFilter({ sort })} />
  </search>
);

/** One issue alone, which the address names. */
const OneIssue = ({ issueId, place, releases, onEdit }: IssuesShownProps & { readonly issueId: string }) => {
  const issue = useResource(projectKey(place, `issue/${issueId}`), async (signal) => {
    const { body } = await client.readIssue({ path: { ...inProject(place), issue_id: issueId }, signal });
    return body.data;
  });
  return (
    <div class="stack">
      <p>
        <a href={`${projectAddress(place)}/issues`}>All issues</a>
      </p>
      <Shown of={issue}>
        {(known) => (
          <IssueTable
            issues={[known]}
            place={place}
            releases={releases}
            onEdit={onEdit}
            onChange={() => void issue.refresh()}
          />
        )}
      </Shown>
    </div>
  );
};

interface IssueTableProps extends IssuesShownProps {
  readonly issues: readonly Issue[];
  readonly onChange: () => void;
}

const IssueTable = ({ issues, place, releases, onEdit, onChange }: IssueTableProps) => (
  <Table cards label="Issues" heads={['Issue', 'Kind', 'Release', 'State']}>
    {issues.map((issue) => (
      <IssueRow
        key={issue.id}
        issue={issue}
        place={place}
        release={releases.find(({ id }) => id === issue.release_id)?.name}
        onEdit={onEdit && (() => onEdit(issue))}
        onChange={onChange}
      />
    ))}
  </Table>
);

/** The releases an issue may belong to, as far as they are known. */
const useReleaseChoices = (place: ProjectPlace): readonly Release[] => useReleases(place).state.value.value ?? [];

interface IssueRowProps {
  readonly issue: Issue;
  readonly place: ProjectPlace;
  /** The name of its release; undefined: it has none, or the name is not known. */
  readonly release: string | undefined;
  /** undefined: it may not be changed by this person. */
  readonly onEdit: (() => void) | undefined;
  readonly onChange: () => void;
}

/**
 * The state of an issue and how it is changed. Arrow keys on the list of states choose several in a row. The last
 * choice is shown at once and stored after the change that is under way; states in between may be skipped.
 */
const useIssueState = (issue: Issue, place: ProjectPlace, onChange: () => void) => {
  const known = useRef(issue);
  if (issue.version > known.current.version) known.current = issue;
  const wanted = useRef<Issue['state'] | undefined>(undefined);
  const [chosen, setChosen] = useState<Issue['state'] | undefined>(undefined);
  const move = useAction(async () => {
    const path = { ...inProject(place), issue_id: issue.id };
    const before = known.current;
    for (let state = wanted.current; state !== undefined && state !== known.current.state; state = wanted.current)
      known.current = (await client.changeIssue({ path, body: { state }, ifMatch: known.current.version })).body.data;
    const after = known.current;
    onChange();
    if (after.state === before.state) return;
    offerUndo(`${isolated(issue.title)}: ${ISSUE_STATE_TITLES[after.state].toLowerCase()}.`, async () => {
      try {
        await client.changeIssue({ path, body: { state: before.state }, ifMatch: after.version });
      } finally {
        onChange();
      }
    });
  });
  const choose = async (state: Issue['state']): Promise<void> => {
    const isMoving = wanted.current !== undefined;
    wanted.current = state;
    setChosen(state);
    if (isMoving) return;
    await move.run();
    wanted.current = undefined;
    setChosen(undefined);
  };
  return { shown: chosen ?? known.current.state, choose, fault: move.fault };
};

/** One issue. An issue that was read from a repository is changed there, not here. */
const IssueRow = ({ issue, place, release, onEdit, onChange }: IssueRowProps) => {
  const { shown, choose, fault } = useIssueState(issue, place, onChange);
  return (
    <tr class="issue-row">
      <th scope="row" data-head="Issue">
        {issue.url === null ? (
          <bdi>{issue.title}</bdi>
        ) : (
          <a href={issue.url} rel="noreferrer noopener">
            <bdi>{issue.title}</bdi>
          </a>
        )}
        {onEdit === undefined || issue.external_id !== null ? null : (
          <Button compact look="plain" onClick={onEdit} label={`Edit ${isolated(issue.title)}`}>
            Edit
          </Button>
        )}
      </th>
      <td data-head="Kind">{kindText(issue)}</td>
      <td data-head="Release">{release ?? <span class="soft">{issue.release_id === null ? 'none' : '–'}</span>}</td>
      <td data-head="State">
        {onEdit === undefined || issue.external_id !== null ? (
          <span>
            <Icon name={issue.state === 'done' ? 'done' : issue.state === 'canceled' ? 'not_applicable' : 'open'} />{' '}
            {ISSUE_STATE_TITLES[issue.state]}
          </span>
        ) : (
          <select
            class="input issue-state"
            aria-label={`State of ${isolated(issue.title)}`}
            value={shown}
            onChange={(event) => {
              const chosen = STATE_CHOICES.find(([state]) => state === event.currentTarget.value);
              if (chosen !== undefined) void choose(chosen[0]);
            }}
          >
            {STATE_CHOICES.map(([state, text]) => (
              <option key={state} value={state}>
                {text}
              </option>
            ))}
          </select>
        )}
        {fault === undefined ? null : (
          <p class="small wrong" role="alert">
            {fault.message}{' '}
            <Button compact onClick={onChange}>
              Read again
            </Button>
          </p>
        )}
      </td>
    </tr>
  );
};
