import type { Issue, Release } from '@shipworthy/client';
import { useState } from 'preact/hooks';
import { client } from '../../api/client.js';
import { useAction } from '../../api/use-action.js';
import { inProject, type ProjectPlace } from '../../navigation/places.js';
import { Button } from '../../parts/button.js';
import { Dialog } from '../../parts/dialog.js';
import { Choice, TextField } from '../../parts/field.js';
import { FaultNotice } from '../../parts/notice.js';
import { SEVERITY_CHOICES, type SeverityChoice, STATE_CHOICES, TYPE_CHOICES } from './issue-words.js';

interface IssueFormProps {
  /** undefined: a new one. */
  readonly issue: Issue | undefined;
  readonly place: ProjectPlace;
  readonly releases: readonly Release[];
  /** The release a new one belongs to unless another is chosen; `''`: none. */
  readonly releaseId: string;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

interface Form {
  readonly title: string;
  readonly type: Issue['type'];
  readonly state: Issue['state'];
  readonly release: string;
  readonly severity: SeverityChoice;
}

const formOf = (issue: Issue | undefined, releaseId: string): Form => ({
  title: issue?.title ?? '',
  type: issue?.type ?? 'feature',
  state: issue?.state ?? 'todo',
  release: issue === undefined ? releaseId : (issue.release_id ?? ''),
  severity: issue?.severity ?? '',
});

/** Enters an issue, or changes one. */
export const IssueForm = ({ issue, place, releases, releaseId, onClose, onDone }: IssueFormProps) => {
  const [form, setForm] = useState(formOf(issue, releaseId));
  const save = useAction(async () => {
    const { title, type, state, release, severity } = form;
    const path = inProject(place);
    if (issue === undefined)
      await client.createIssue({
        path,
        body: {
          title,
          type,
          state,
          ...(release === '' ? {} : { release_id: release }),
          ...(severity === '' ? {} : { severity }),
        },
      });
    else
      await client.changeIssue({
        path: { ...path, issue_id: issue.id },
        body: { title, type, state, release_id: release || null, severity: severity || null },
        ifMatch: issue.version,
      });
    onDone();
  });
  const open = releases.filter(({ state }) => state === 'planned' || state === 'active');
  return (
    <Dialog
      title={issue === undefined ? 'New issue' : 'Change the issue'}
      onClose={onClose}
      onSubmit={() => void save.run()}
    >
      {save.fault === undefined ? null : <FaultNotice fault={{ ...save.fault, fields: {} }} />}
      <TextField
        label="Title"
        value={form.title}
        onValue={(title) => setForm({ ...form, title })}
        wrong={save.fault?.fields['/title']}
      />
      <Choice label="Type" value={form.type} choices={TYPE_CHOICES} onValue={(type) => setForm({ ...form, type })} />
      {form.type === 'bug' ? (
        <Choice
          label="Severity"
          value={form.severity}
          choices={SEVERITY_CHOICES}
          onValue={(severity) => setForm({ ...form, severity })}
        />
      ) : null}
      <Choice
        label="State"
        value={form.state}
        choices={STATE_CHOICES}
        onValue={(state) => setForm({ ...form, state })}
      />
      <Choice
        label="Release"
        value={form.release}
        choices={[['', 'None'], ...open.map(({ id, name }) => [id, name] as const)]}
        onValue={(release) => setForm({ ...form, release })}
      />
      <div class="row">
        <Button submit look="main" busy={save.running}>
          Save
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </Dialog>
  );
};
