import type { Release } from '@shipworthy/client';
import { useState } from 'preact/hooks';
import { client } from '../../api/client.js';
import { refreshShown } from '../../api/resource.js';
import { useAction } from '../../api/use-action.js';
import { inRelease, projectKey, type ReleasePlace } from '../../navigation/places.js';
import { Button } from '../../parts/button.js';
import { Dialog } from '../../parts/dialog.js';
import { TextField } from '../../parts/field.js';
import { FaultNotice, Notice } from '../../parts/notice.js';
import { dateText, localDayOf, momentOfLocalDay } from '../../wording/moments.js';

interface EditReleaseProps {
  readonly release: Release;
  readonly place: ReleasePlace;
  readonly mayEdit: boolean;
}

/** When the release is meant to ship, and the way to change that, its name and its start; both can be undone. */
export const TargetDay = ({ release, place, mayEdit }: EditReleaseProps) => {
  const [editing, setEditing] = useState(false);
  const [before, setBefore] = useState<Release | undefined>(undefined);
  const undo = useAction(async (to: Release) => {
    await client.changeRelease({ path: inRelease(place), body: wayBack(release, to), ifMatch: release.version });
    refreshShown(projectKey(place, ''));
    setBefore(undefined);
  });
  const isOpen = release.state === 'planned' || release.state === 'active';
  const text = release.target_at === null ? 'No target date' : `Target ${dateText(release.target_at)}`;
  if (!mayEdit || !isOpen) return release.target_at === null ? null : <span>{text}</span>;
  return (
    <div class="row on-screen">
      <Button compact look="plain" label={`${text}: change the release`} onClick={() => setEditing(true)}>
        {text}
      </Button>
      {before === undefined ? null : (
        <span class="row" role="status">
          Saved.
          <Button compact busy={undo.running} onClick={() => void undo.run(before)}>
            Undo
          </Button>
        </span>
      )}
      {undo.fault === undefined ? null : <FaultNotice fault={undo.fault} />}
      {editing ? (
        <EditDialog
          release={release}
          place={place}
          onClose={() => setEditing(false)}
          onSaved={() => {
            setBefore(release);
            setEditing(false);
          }}
        />
      ) : null}
    </div>
  );
};

/** What a person enters; days are those of the person's own place. */
interface Fields {
  readonly name: string;
  readonly target: string;
  readonly start: string;
}

const fieldsOf = ({ name, target_at, starts_at }: Release): Fields => ({
  name,
  target: target_at === null ? '' : localDayOf(target_at),
  start: starts_at === null ? '' : localDayOf(starts_at),
});

/** Only what differs, so that a day that was not touched keeps its time. */
const changeOf = (release: Release, { name, target, start }: Fields) => {
  const now = fieldsOf(release);
  return {
    ...(name === now.name ? {} : { name }),
    ...(target === now.target ? {} : { target_at: target === '' ? null : momentOfLocalDay(target) }),
    ...(start === now.start || start === '' ? {} : { starts_at: momentOfLocalDay(start, '00:00:00') }),
  };
};

/** What makes the release again what it was, to the millisecond. */
const wayBack = (now: Release, before: Release) => ({
  name: before.name,
  target_at: before.target_at,
  ...(before.starts_at === null || before.starts_at === now.starts_at ? {} : { starts_at: before.starts_at }),
});

interface EditDialogProps extends Omit<EditReleaseProps, 'mayEdit'> {
  readonly onClose: () => void;
  readonly onSaved: () => void;
}

/** Changes what differs; where somebody else changed the release meanwhile, theirs is shown and nothing is overwritten unseen. */
const EditDialog = ({ release, place, onClose, onSaved }: EditDialogProps) => {
  const [opened] = useState(release);
  const [fields, setFields] = useState(fieldsOf(release));
  const save = useAction(async (version: number) => {
    const body = changeOf(opened, fields);
    if (Object.keys(body).length > 0) await client.changeRelease({ path: inRelease(place), body, ifMatch: version });
    refreshShown(projectKey(place, ''));
  });
  const newer = save.fault?.current as Release | undefined;
  const run = async (version: number) => {
    if (await save.run(version)) onSaved();
  };
  const wrong = save.fault?.fields ?? {};
  return (
    <Dialog
      title={`Change ${opened.name}`}
      onClose={onClose}
      onSubmit={() => void run(newer?.version ?? opened.version)}
    >
      {newer === undefined ? null : (
        <Notice look="attention">
          <p>
            Somebody changed the release meanwhile: it is called <strong>{newer.name}</strong>
            {newer.target_at === null
              ? ' and has no target date'
              : ` and is meant to ship on ${dateText(newer.target_at)}`}
            . Save again to set what you entered.
          </p>
        </Notice>
      )}
      {save.fault === undefined || newer !== undefined ? null : <FaultNotice fault={{ ...save.fault, fields: {} }} />}
      <TextField
        label="Target date"
        hint="A day in your own time zone. Empty: no target."
        type="date"
        autofocus
        value={fields.target}
        onValue={(target) => setFields({ ...fields, target })}
        wrong={wrong['/target_at']}
      />
      <TextField
        label="Name"
        value={fields.name}
        onValue={(name) => setFields({ ...fields, name })}
        wrong={wrong['/name']}
      />
      <TextField
        label="Deployments count from"
        hint="From the beginning of that day in your own time zone."
        type="date"
        value={fields.start}
        onValue={(start) => setFields({ ...fields, start })}
        wrong={wrong['/starts_at']}
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
