import type { TestRun } from '@shipworthy/client';
import { useState } from 'preact/hooks';
import { client } from '../../api/client.js';
import { refreshShown } from '../../api/resource.js';
import { useAction } from '../../api/use-action.js';
import { inProject, type ProjectPlace, projectKey } from '../../navigation/places.js';
import { Button } from '../../parts/button.js';
import { ConfirmButton, Dialog } from '../../parts/dialog.js';
import { TextField } from '../../parts/field.js';
import { Moment } from '../../parts/moment.js';
import { offerUndo } from '../../parts/undo.js';
import { isolated } from '../../wording/isolate.js';
import { countText } from '../../wording/numbers.js';

interface SetAsideProps {
  readonly run: TestRun;
  readonly place: ProjectPlace;
}

const inTestRun = ({ run, place }: SetAsideProps) => ({ ...inProject(place), test_run_id: run.id });

/** Everything shown of the project may have changed: lists, axes, the score. */
const refresh = ({ place }: SetAsideProps): void => refreshShown(projectKey(place, ''));

const nameOf = ({ suite, passed, total }: TestRun): string =>
  `${isolated(suite ?? 'Test run')}, ${countText(passed)} of ${countText(total)}`;

const SetAsideDialog = ({ onClose, ...about }: SetAsideProps & { readonly onClose: () => void }) => {
  const [reason, setReason] = useState('');
  const setAside = useAction(async () => {
    const path = inTestRun(about);
    await client.setTestRunAside({ path, body: { reason } });
    refresh(about);
    offerUndo(`${nameOf(about.run)}: set aside.`, async () => {
      await client.restoreTestRun({ path });
      refresh(about);
    });
  });
  const submit = async () => {
    if (await setAside.run()) onClose();
  };
  const { fault } = setAside;
  return (
    <Dialog title="Set this test run aside" onClose={onClose} fault={fault} fields={['/reason']} onSubmit={submit}>
      <p>{nameOf(about.run)}</p>
      <p class="small soft">
        The run stays on record and never counts. While it is the latest of its suite, verification is not measured.
      </p>
      <TextField
        label="Reason"
        value={reason}
        onValue={setReason}
        wrong={fault?.fields['/reason']}
        autocomplete="off"
      />
      <div class="row">
        <Button look="main" submit busy={setAside.running}>
          Set aside
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </Dialog>
  );
};

/** Who set a run aside, when and why. */
export const SetAsideNote = ({ run }: Pick<SetAsideProps, 'run'>) =>
  run.set_aside === null ? null : (
    <div class="small soft">
      Set aside by <bdi>{run.set_aside.by}</bdi>, <Moment at={run.set_aside.at} />: <bdi>{run.set_aside.reason}</bdi>
    </div>
  );

/** The actions of an owner on a wrong run: set it aside with a reason, and take that back. */
export const SetAsideActions = (about: SetAsideProps) => {
  const [asks, setAsks] = useState(false);
  if (about.run.set_aside !== null)
    return (
      <ConfirmButton
        text="Restore"
        label={`Restore: ${nameOf(about.run)}`}
        title="Restore this test run?"
        look="plain"
        compact
        perform={() => client.restoreTestRun({ path: inTestRun(about) })}
        onDone={() => refresh(about)}
      >
        <p>It counts again where it is the latest. The audit log keeps who set it aside, and why.</p>
      </ConfirmButton>
    );
  return (
    <>
      <Button look="plain" compact label={`Set aside: ${nameOf(about.run)}`} onClick={() => setAsks(true)}>
        Set aside
      </Button>
      {asks ? <SetAsideDialog {...about} onClose={() => setAsks(false)} /> : null}
    </>
  );
};
