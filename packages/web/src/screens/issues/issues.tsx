import type { Issue, Release } from '@shipworthy/client';
import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { client } from '../../api/client.js';
import { usePaged } from '../../api/paged.js';
import { useProject, useReleases } from '../../api/project.js';
import { useMay } from '../../api/session.js';
import { useAction } from '../../api/use-action.js';
import { HOME, inProject, type ProjectPlace, projectAddress, projectKey } from '../../navigation/places.js';
import { Button } from '../../parts/button.js';
import { Choice } from '../../parts/field.js';
import { Icon } from '../../parts/icon.js';
import { Empty, PageFrame, ProjectNav } from '../../parts/page.js';
import { Shown } from '../../parts/shown.js';
import { ShowMore, Table } from '../../parts/table.js';
import { ISSUE_STATE_TITLES, IssueForm, kindText, STATE_CHOICES } from './issue-form.js';
import './issues.css';

/** The project's issues, entered by hand or read from the linked repository. */
export const Issues = () => {
  const { teamId = '', projectId = '' } = useRoute().params;
  const place = { teamId, projectId };
  const project = useProject(place);
  const releases = useReleaseChoices(place);
  const [releaseId, setReleaseId] = useState('');
  const [editing, setEditing] = useState<Issue | 'new' | undefined>(undefined);
  const issues = usePaged(projectKey(place, `issues/${releaseId}`), async (query, signal) => {
    const filter = releaseId === '' ? query : { ...query, release_id: releaseId };
    const { body } = await client.listIssues({ path: inProject(place), query: filter, signal });
    return body;
  });
  const member = useMay(teamId, 'member');
  const known = project.state.value.value;
  const add = (
    <Button look="main" onClick={() => setEditing('new')}>
      <Icon name="plus" />
      New issue
    </Button>
  );
  return (
    <PageFrame
      title={known ? `Issues of ${known.name}` : project.state.value.fault && 'Issues'}
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
                {member ? add : null}
              </Empty>
            ) : (
              <>
                <Table cards label="Issues" heads={['Issue', 'Kind', 'Release', 'State']}>
                  {rows.map((issue) => (
                    <IssueRow
                      key={issue.id}
                      issue={issue}
                      place={place}
                      release={releases.find(({ id }) => id === issue.release_id)?.name}
                      onEdit={member ? () => setEditing(issue) : undefined}
                      onChange={() => void issues.refresh()}
                    />
                  ))}
                </Table>
                <ShowMore of={issues} rows="issues" />
              </>
            )
          }
        </Shown>
      </div>
      {editing === undefined ? null : (
        <IssueForm
          issue={editing === 'new' ? undefined : editing}
          place={place}
          releases={releases}
          releaseId={releaseId || known?.active_release?.id || ''}
          onClose={() => setEditing(undefined)}
          onDone={() => {
            setEditing(undefined);
            void issues.refresh();
          }}
        />
      )}
    </PageFrame>
  );
};

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
    await client.changeIssue({ path, body: { state }, ifMatch: issue.version });
    onChange();
  });
  return (
    <tr class="issue-row">
      <th scope="row" data-head="Issue">
        {issue.url === null ? (
          issue.title
        ) : (
          <a href={issue.url} rel="noreferrer noopener">
            {issue.title}
          </a>
        )}
        {onEdit === undefined || issue.external_id !== null ? null : (
          <Button compact look="plain" onClick={onEdit} label={`Edit ${issue.title}`}>
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
            aria-label={`State of ${issue.title}`}
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
