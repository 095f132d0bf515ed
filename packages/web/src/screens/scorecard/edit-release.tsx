import type { Release } from '@shipworthy/client';
import { useState } from 'preact/hooks';
import { client } from '../../api/client.js';
import { refreshShown } from '../../api/resource.js';
import { useAction } from '../../api/use-action.js';
import { inRelease, projectKey, type ReleasePlace } from '../../navigation/places.js';
import { Button } from '../../parts/button.js';
import { Dialog } from '../../parts/dialog.js';
import { TextField } from '../../parts/field.js';
import { Notice } from '../../parts/notice.js';
import { offerUndo } from '../../parts/undo.js';
import { isolated } from '../../wording/isolate.js';
import { dateText, localDayOf, momentOfLocalDay } from '../../wording/moments.js';

interface EditReleaseProps {
  readonly release: Release;
  readonly place: ReleasePlace;
  readonly mayEdit: boolean;
}

/**
 * Shows the target date. A person who may edit an open release sees it as a button; it opens the form for the target date,
 * name and start. After a save the person can undo the change; a first start stays.
 */
export const TargetDay = ({ release, place, mayEdit }: EditReleaseProps) => {
  const [editing, setEditing] = useState(false);
  const offerWayBack = ({ before, after }: Saved) =>
    offerUndo(
      `${isolated(after.name)}: saved.${isFirstStart(before, after) ? ' Undo keeps the start.' : ''}`,
      async () => {
        try {
          // The server refuses it if another person changed the release after this change.
          await client.changeRelease({ path: inRelease(place), body: wayBack(after, before), ifMatch: after.version });
        } finally {
          refreshShown(projectKey(place, ''));
        }
      },
    );
  const isOpen = release.state === 'planned' || release.state === 'active';
  const text = release.target_at === null ? 'No target date' : `Target ${dateText(release.target_at)}`;
  if (!mayEdit || !isOpen) return release.target_at === null ? null : <span>{text}</span>;
  return (
    <div class="row on-screen target-day">
      <Button compact look="plain" label={`${text}: change the release`} onClick={() => setEditing(true)}>
        {text}
      </Button>
      {editing ? (
        <EditDialog
          release={release}
          place={place}
          onClose={() => setEditing(false)}
          onSaved={(changes) => {
            setEditing(false);
            offerWayBack(changes);
          }}
        />
      ) : null}
    </div>
  );
};

/** A release before and after a change that was saved. */
interface Saved {
  readonly before: Release;
  readonly after: Release;
}

/** What a person enters; days are in the person's time zone. */
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

/** Returns only the fields that differ, so that a day that was not touched keeps its time. */
const changeOf = (release: Release, { name, target, start }: Fields) => {
  const now = fieldsOf(release);
  return {
    ...(name === now.name ? {} : { name }),
    ...(target === now.target ? {} : { target_at: target === '' ? null : momentOfLocalDay(target) }),
    ...(start === now.start || start === '' ? {} : { starts_at: momentOfLocalDay(start, '00:00:00') }),
  };
};

/** Whether the release got its start by this change. A start can be changed, but not removed again. */
const isFirstStart = (before: Release, after: Release): boolean =>
  before.starts_at === null && after.starts_at !== null;

/** Returns the change that restores the release as it was, to the millisecond; a first start stays. */
const wayBack = (after: Release, before: Release) => ({
  name: before.name,
  target_at: before.target_at,
  ...(before.starts_at === null || before.starts_at === after.starts_at ? {} : { starts_at: before.starts_at }),
});

interface EditDialogProps extends Omit<EditReleaseProps, 'mayEdit'> {
  readonly onClose: () => void;
  readonly onSaved: (changes: Saved) => void;
}

/** Saves the fields that differ. If another person changed the release first, it says so; the next press saves. */
const EditDialog = ({ release, place, onClose, onSaved }: EditDialogProps) => {
  const [opened] = useState(release);
  const [fields, setFields] = useState(fieldsOf(release));
  const [isStartMissing, setStartMissing] = useState(false);
  const save = useAction(async (before: Release) => {
    const change = changeOf(opened, fields);
    if (Object.keys(change).length === 0) return onClose();
    const { body } = await client.changeRelease({ path: inRelease(place), body: change, ifMatch: before.version });
    refreshShown(projectKey(place, ''));
    onSaved({ before, after: body.data });
  });
  const newer = save.fault?.current as Release | undefined;
  const wrong = save.fault?.fields ?? {};
  return (
    <Dialog
      title={`Change ${isolated(opened.name)}`}
      onClose={onClose}
      fault={newer === undefined ? save.fault : undefined}
      fields={['/name', '/target_at', '/starts_at']}
      onSubmit={() => {
        const isMissing = opened.starts_at !== null && fields.start === '';
        setStartMissing(isMissing);
        return isMissing ? undefined : save.run(newer ?? opened);
      }}
    >
      {newer === undefined ? null : (
        <Notice look="attention">
          <p>
            Someone else changed the release: it is called <bdi>{newer.name}</bdi>
            {newer.target_at === null
              ? ' and has no target date'
              : ` and is meant to ship on ${dateText(newer.target_at)}`}
            . Save again to set what you entered.
          </p>
        </Notice>
      )}
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
        wrong={isStartMissing ? 'A start can be changed, but not removed.' : wrong['/starts_at']}
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
