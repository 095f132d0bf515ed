import { useState } from 'preact/hooks';
import { client } from '../../api/client.js';
import { useAction } from '../../api/use-action.js';
import { navigate } from '../../navigation/navigate.js';
import { inProject, type ProjectPlace, releaseAddress } from '../../navigation/places.js';
import { Button } from '../../parts/button.js';
import { Dialog } from '../../parts/dialog.js';
import { TextField } from '../../parts/field.js';
import { FaultNotice } from '../../parts/notice.js';

/** Plans a release and goes to its scorecard. */
export const NewRelease = ({ place, onClose }: { readonly place: ProjectPlace; readonly onClose: () => void }) => {
  const [name, setName] = useState('');
  const [target, setTarget] = useState('');
  const create = useAction(async () => {
    const { body } = await client.createRelease({
      path: inProject(place),
      body: { name, ...(target === '' ? {} : { target_at: new Date(target).toISOString() }) },
    });
    navigate(releaseAddress({ ...place, releaseId: body.data.id }));
  });
  return (
    <Dialog title="New release" onClose={onClose} onSubmit={() => void create.run()}>
      {create.fault === undefined ? null : <FaultNotice fault={{ ...create.fault, fields: {} }} />}
      <TextField label="Name" placeholder="2.5" value={name} onValue={setName} wrong={create.fault?.fields['/name']} />
      <TextField
        label="Target (optional)"
        type="date"
        value={target}
        onValue={setTarget}
        wrong={create.fault?.fields['/target_at']}
      />
      <p class="soft small">It begins as planned, with Docs, Feature flag and Rollback on its checklist.</p>
      <div class="row">
        <Button submit look="main" busy={create.running}>
          Create
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </Dialog>
  );
};
