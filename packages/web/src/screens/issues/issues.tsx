import type { Issue, Release } from '@shipworthy/client';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { client } from '../../api/client.js';
import { type Paged, usePaged } from '../../api/paged.js';
import { useProject, useReleases } from '../../api/project.js';
import { refreshShown, useResource } from '../../api/resource.js';
import { useMay } from '../../api/session.js';
import { useAction } from '../../api/use-action.js';
import { useQuery } from '../../navigation/navigate.js';
import { HOME, inProject, type ProjectPlace, projectAddress, projectKey } from '../../navigation/places.js';
import { Button } from '../../parts/button.js';
import { Choice } from '../../parts/field.js';
import { Icon } from '../../parts/icon.js';
import { Empty, PageFrame, ProjectNav } from '../../parts/page.js';
import { Shown } from '../../parts/shown.js';
import { ShowMore, Table } from '../../parts/table.js';
import { isolated } from '../../wording/isolate.js';
import { ISSUE_STATE_TITLES } from '../../wording/names.js';
import { IssueForm, kindText, STATE_CHOICES } from './issue-form.js';
import './issues.css';
import { offerUndo } from '../../parts/undo.js';

/** The project's issues, entered by hand or read from the linked repository. */
export const Issues = () => {
  const { teamId = '', projectId = '' } = useRoute().params;
  const place = { teamId, projectId };
  const project = useProject(place);
  const releases = useReleaseChoices(place);
  const [releaseId, setReleaseId] = useState('');
  const [query, changeQuery] = useQuery();
  const [edited, setEditing] = useState<Issue | 'new' | undefined>(undefined);
  const issues = usePaged(projectKey(place, `issues/${releaseId}`), async (query, signal) => {
    const filter = releaseId === '' ? query : { ...query, release_id: releaseId };
    const { body } = await client.listIssues({ path: inProject(place), query: filter, signal });
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
      actions={member && known ? add : undefined}
    >
      <ProjectNav place={place} />
      {query.issue === undefined ? (
        <IssueList
          issues={issues}
          place={place}
          add={member ? add : null}
          releases={releases}
          filter={[releaseId, setReleaseId]}
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
          releaseId={releaseId || known?.active_release?.id || ''}
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

interface IssuesShownProps {
  readonly place: ProjectPlace;
  readonly releases: readonly Release[];
  /** undefined: they may not be changed by this person. */
  readonly onEdit: ((issue: Issue) => void) | undefined;
}

interface IssueListProps extends IssuesShownProps {
  readonly issues: Paged<Issue>;
  /** The button for a new one; null: this person adds none. */
  readonly add: ComponentChildren;
  /** The release whose issues are shown, `''` for all, and how to choose another. */
  readonly filter: readonly [releaseId: string, choose: (releaseId: string) => void];
}

/** All issues, or those of one release. */
const IssueList = ({ issues, place, releases, onEdit, add, filter: [releaseId, setReleaseId] }: IssueListProps) => {
  return (
    <div class="stack">
      <div class="issue-filter">
        <Choice
          label="Release"
          value={releaseId}
          choices={[['', 'All'], ...releases.map(({ id, name }) => [id, name] as const)]}
          onValue={setReleaseId}
        />
      </div>
      <Shown of={issues}>
        {({ rows }) =>
          rows.length === 0 ? (
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
              <ShowMore of={issues} rows="issues" />
            </>
          )
        }
      </Shown>
    </div>
  );
};

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
  readonly release: string | undefined;
  /** undefined: it may not be changed by this person. */
  readonly onEdit: (() => void) | undefined;
  readonly onChange: () => void;
}

/** An issue; what is read from a repository is changed there. */
const IssueRow = ({ issue, place, release, onEdit, onChange }: IssueRowProps) => {
  const move = useAction(async (state: Issue['state']) => {
    const path = { ...inProject(place), issue_id: issue.id };
    const { body } = await client.changeIssue({ path, body: { state }, ifMatch: issue.version });
    onChange();
    offerUndo(`${isolated(issue.title)}: ${ISSUE_STATE_TITLES[state].toLowerCase()}.`, async () => {
      try {
        await client.changeIssue({ path, body: { state: issue.state }, ifMatch: body.data.version });
      } finally {
        onChange();
      }
    });
  });
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
      <td data-head="Release">{release ?? <span class="soft">none</span>}</td>
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
            value={issue.state}
            onChange={(event) => {
              const chosen = STATE_CHOICES.find(([state]) => state === event.currentTarget.value);
              if (chosen !== undefined) void move.run(chosen[0]);
            }}
          >
            {STATE_CHOICES.map(([state, text]) => (
              <option key={state} value={state}>
                {text}
              </option>
            ))}
          </select>
        )}
        {move.fault === undefined ? null : (
          <p class="small wrong" role="alert">
            {move.fault.message}{' '}
            <Button compact onClick={onChange}>
              Read again
            </Button>
          </p>
        )}
      </td>
    </tr>
  );
};
