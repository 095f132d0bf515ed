import type { Issue } from '@shipworthy/client';
import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { client } from '../../api/client.js';
import { usePaged } from '../../api/paged.js';
import { useProject } from '../../api/project.js';
import { useMay } from '../../api/role.js';
import { HOME, inProject, projectAddress, projectKey } from '../../navigation/places.js';
import { Button } from '../../parts/button.js';
import { Choice } from '../../parts/field.js';
import { Icon } from '../../parts/icon.js';
import { Empty, Page } from '../../parts/page.js';
import { ProjectNav } from '../../parts/project-nav.js';
import { ShowMore } from '../../parts/show-more.js';
import { Shown } from '../../parts/shown.js';
import { Table } from '../../parts/table.js';
import { IssueForm } from './issue-form.js';
import { IssueRow } from './issue-row.js';
import './issues.css';
import { useReleaseChoices } from './release-choices.js';

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
    <Page
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
    </Page>
  );
};
