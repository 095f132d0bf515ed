import { useState } from 'preact/hooks';
import { client } from '../../api/client.js';
import { useAction } from '../../api/use-action.js';
import { Button } from '../../parts/button.js';
import { TextField } from '../../parts/field.js';
import { FaultNotice } from '../../parts/notice.js';
import type { ChecklistPath } from './states.js';

/** A further item at the end of the list. */
export const AddItem = ({ path, onDone }: { readonly path: ChecklistPath; readonly onDone: () => void }) => {
  const [title, setTitle] = useState('');
  const add = useAction(async () => {
    await client.addChecklistItem({ path, body: { title } });
    setTitle('');
    onDone();
  });
  return (
    <form
      class="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void add.run();
      }}
    >
      {add.fault === undefined ? null : <FaultNotice fault={{ ...add.fault, fields: {} }} />}
      <div class="one-line">
        <TextField
          label="Another item"
          placeholder="Support is briefed"
          value={title}
          onValue={setTitle}
          wrong={add.fault?.fields['/title']}
        />
        <Button submit busy={add.running}>
          Add
        </Button>
      </div>
    </form>
  );
};
