import { useState } from 'preact/hooks';
import { useAction } from '../api/use-action.js';
import { Button } from './button.js';
import { TextField } from './field.js';
import { FaultNotice, Notice } from './notice.js';
import { Panel } from './page.js';

interface RenameFormProps {
  readonly what: string;
  readonly name: string;
  readonly version: number;
  readonly hint?: string;
  readonly rename: (name: string, version: number) => Promise<unknown>;
  readonly onDone: () => void;
}

/** Changes a name; if another person changed it in the meantime, both are shown and none is overwritten unseen. */
export const RenameForm = ({ what, name, version, hint, rename, onDone }: RenameFormProps) => {
  const [wanted, setWanted] = useState<string | undefined>(undefined);
  const [saved, setSaved] = useState(false);
  const save = useAction(rename);
  const newer = save.fault?.current as { readonly name: string; readonly version: number } | undefined;
  const finish = () => {
    setWanted(undefined);
    save.clear();
    onDone();
  };
  const run = async (over: number) => {
    setSaved(false);
    if (!(await save.run(wanted ?? name, over))) return;
    setSaved(true);
    finish();
  };
  return (
    <Panel title={`Name of the ${what}`}>
      <form
        class="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void run(version);
        }}
      >
        {newer === undefined ? null : (
          <Notice look="attention">
            <p>
              Somebody renamed it to <bdi>{newer.name}</bdi> meanwhile; you wanted <bdi>{wanted ?? name}</bdi>.
            </p>
            <p class="row">
              <Button compact onClick={finish}>
                Keep theirs
              </Button>
              <Button compact busy={save.running} onClick={() => void run(newer.version)}>
                Set mine
              </Button>
            </p>
          </Notice>
        )}
        {save.fault === undefined || newer !== undefined ? null : <FaultNotice fault={{ ...save.fault, fields: {} }} />}
        <TextField
          label="Name"
          {...(hint === undefined ? {} : { hint })}
          value={wanted ?? name}
          onValue={(value) => {
            setSaved(false);
            setWanted(value);
          }}
          wrong={save.fault?.fields['/name']}
        />
        <div class="row">
          <Button submit busy={save.running}>
            Rename
          </Button>
          <span role="status" class="small soft">
            {saved ? 'Renamed.' : ''}
          </span>
        </div>
      </form>
    </Panel>
  );
};
