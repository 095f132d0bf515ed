import { useState } from 'preact/hooks';
import { useAction } from '../api/use-action.js';
import { isolated } from '../wording/isolate.js';
import { Button } from './button.js';
import { Form, TextField } from './field.js';
import { Notice } from './notice.js';
import { Panel } from './page.js';
import { offerUndo } from './undo.js';

interface RenameFormProps {
  readonly what: string;
  readonly name: string;
  readonly version: number;
  readonly hint?: string;
  readonly rename: (
    name: string,
    version: number,
  ) => Promise<{ readonly body: { readonly data: { readonly version: number } } }>;
  readonly onDone: () => void;
}

interface Typed {
  readonly wanted: string;
  readonly name: string;
  readonly version: number;
}

/** Changes a name. If another person changed it in the meantime, shows both names and lets the person choose. */
export const RenameForm = ({ what, name, version, hint, rename, onDone }: RenameFormProps) => {
  /** What the person typed, with the state in which typing began: the screen may be read again before it is sent. */
  const [typed, setTyped] = useState<Typed | undefined>(undefined);
  const wanted = typed?.wanted ?? name;
  const save = useAction(async (next: string, over: number, before: string) => {
    const { body } = await rename(next, over);
    offerUndo(`Renamed to ${isolated(next)}.`, async () => {
      try {
        await rename(before, body.data.version);
      } finally {
        onDone();
      }
    });
  });
  const newer = save.fault?.current as { readonly name: string; readonly version: number } | undefined;
  const finish = () => {
    setTyped(undefined);
    save.clear();
    onDone();
  };
  const run = async (over: number, before: string) => {
    if (await save.run(wanted, over, before)) finish();
  };
  return (
    <Panel title={`Name of the ${what}`}>
      <Form
        fault={newer === undefined ? save.fault : undefined}
        fields={['/name']}
        onSubmit={() => run(typed?.version ?? version, typed?.name ?? name)}
      >
        {newer === undefined ? null : (
          <Notice look="attention">
            <p>
              Someone else renamed it to <bdi>{newer.name}</bdi> in the meantime; you wanted <bdi>{wanted}</bdi>.
            </p>
            <p class="row">
              <Button compact onClick={finish}>
                Keep theirs
              </Button>
              <Button compact busy={save.running} onClick={() => void run(newer.version, newer.name)}>
                Set mine
              </Button>
            </p>
          </Notice>
        )}
        <TextField
          label="Name"
          {...(hint === undefined ? {} : { hint })}
          value={wanted}
          onValue={(next) => setTyped({ name, version, ...typed, wanted: next })}
          wrong={save.fault?.fields['/name']}
        />
        <div class="row">
          <Button submit busy={save.running}>
            Rename
          </Button>
        </div>
      </Form>
    </Panel>
  );
};
