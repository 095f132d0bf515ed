import type { Issue, Release } from '@shipworthy/client';
import { useState } from 'preact/hooks';
import { client } from '../../api/client.js';
import { useCreation } from '../../api/use-action.js';
import { inProject, type ProjectPlace } from '../../navigation/places.js';
import { Button } from '../../parts/button.js';
import { Dialog } from '../../parts/dialog.js';
import { Choice, TextField } from '../../parts/field.js';
import { Notice } from '../../parts/notice.js';
import { offerUndo } from '../../parts/undo.js';
import { isolated } from '../../wording/isolate.js';
import { ISSUE_STATE_TITLES, releaseChoices } from '../../wording/names.js';

interface IssueFormProps {
  /** undefined: a new one. */
  readonly issue: Issue | undefined;
  readonly place: ProjectPlace;
  readonly releases: readonly Release[];
  /** The release that a new issue belongs to unless another is chosen; `''`: none. */
  readonly releaseId: string;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

type SeverityChoice = NonNullable<Issue['severity']> | '';

interface Form {
  readonly title: string;
  readonly type: Issue['type'];
  readonly state: Issue['state'];
  readonly release: string;
  readonly severity: SeverityChoice;
}

/** Enters an issue, or changes one. */
export const IssueForm = ({ issue, place, releases, releaseId, onClose, onDone }: IssueFormProps) => {
  const [form, setForm] = useState(formOf(issue, releaseId));
  // What the change starts from: the issue as it was opened, or as another person has saved it since.
  const [known, setKnown] = useState(issue);
  const save = useCreation(async (keyed) => {
    const path = inProject(place);
    const { release_id, severity, ...rest } = bodyOf(form);
    if (known === undefined)
      await client.createIssue(
        keyed({
          path,
          body: { ...rest, ...(release_id === null ? {} : { release_id }), ...(severity === null ? {} : { severity }) },
        }),
      );
    else {
      const inIssue = { ...path, issue_id: known.id };
      const { body } = await client.changeIssue({
        path: inIssue,
        body: { ...rest, release_id, severity },
        ifMatch: known.version,
      });
      offerUndo(`${isolated(body.data.title)}: saved.`, async () => {
        try {
          const before = bodyOf(formOf(known, ''));
          await client.changeIssue({ path: inIssue, body: before, ifMatch: body.data.version });
        } finally {
          onDone();
        }
      });
    }
    onDone();
  });
  // On a version mismatch the API answers with the present issue.
  const theirs = save.fault?.current as Issue | undefined;
  const goOnFrom = (newer: Issue, next: Form) => {
    setKnown(newer);
    setForm(next);
    save.clear();
  };
  const choices = releases.filter(
    ({ id, state }) => state === 'planned' || state === 'active' || id === known?.release_id,
  );
  return (
    <Dialog
      title={issue === undefined ? 'New issue' : 'Change the issue'}
      onClose={onClose}
      fault={theirs === undefined ? save.fault : undefined}
      fields={['/title']}
      onSubmit={() => save.run()}
    >
      {theirs !== undefined ? (
        <IssueConflict
          theirs={theirs}
          onTheirs={() => goOnFrom(theirs, formOf(theirs, ''))}
          onMine={() => goOnFrom(theirs, form)}
        />
      ) : null}
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
          choices={[['', 'No severity'], ...SEVERITY_CHOICES]}
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
        choices={[['', 'None'], ...releaseChoices(choices, form.release)]}
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

/** The types of issues, with their titles. */
export const TYPE_CHOICES: readonly (readonly [Issue['type'], string])[] = [
  ['feature', 'Feature'],
  ['bug', 'Bug'],
  ['task', 'Task'],
  ['chore', 'Chore'],
];

/** The severities of bugs with their titles, the worst first. */
export const SEVERITY_CHOICES: readonly (readonly [NonNullable<Issue['severity']>, string])[] = [
  ['critical', 'Critical'],
  ['major', 'Major'],
  ['minor', 'Minor'],
];

/** The states of issues with their titles, in their order. */
export const STATE_CHOICES: readonly (readonly [Issue['state'], string])[] = [
  ['todo', ISSUE_STATE_TITLES.todo],
  ['in_progress', ISSUE_STATE_TITLES.in_progress],
  ['done', ISSUE_STATE_TITLES.done],
  ['canceled', ISSUE_STATE_TITLES.canceled],
];

const formOf = (issue: Issue | undefined, releaseId: string): Form => ({
  title: issue?.title ?? '',
  type: issue?.type ?? 'feature',
  state: issue?.state ?? 'todo',
  release: issue === undefined ? releaseId : (issue.release_id ?? ''),
  severity: issue?.severity ?? '',
});

/** The body to save: only a bug has a severity. */
const bodyOf = ({ title, type, state, release, severity }: Form) => ({
  title,
  type,
  state,
  release_id: release || null,
  severity: (type === 'bug' && severity) || null,
});

interface IssueConflictProps {
  readonly theirs: Issue;
  readonly onTheirs: () => void;
  readonly onMine: () => void;
}

/** Shows what the issue says after another person saved it first, and lets the person choose. */
const IssueConflict = ({ theirs, onTheirs, onMine }: IssueConflictProps) => (
  <Notice look="attention">
    <p role="alert">
      Someone else changed this issue. It is now “<bdi>{theirs.title}</bdi>”, {kindText(theirs).toLowerCase()},{' '}
      <strong>{ISSUE_STATE_TITLES[theirs.state]}</strong>. Yours is not saved.
    </p>
    <p class="row">
      <Button compact onClick={onTheirs}>
        Take theirs
      </Button>
      <Button compact onClick={onMine}>
        Go on with mine
      </Button>
    </p>
  </Notice>
);

/** The type of an issue, and the severity of a bug where it has one: `Feature`, `Bug, critical`. */
export const kindText = ({ type, severity }: Pick<Issue, 'type' | 'severity'>): string => {
  const title = TYPE_CHOICES.find(([each]) => each === type)?.[1] ?? type;
  return severity === null ? title : `${title}, ${severity}`;
};
