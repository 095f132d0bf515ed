import type { ChecklistItem, Evidence } from '@shipworthy/client';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { client } from '../../api/client.js';
import type { CallFault } from '../../api/fault.js';
import { useAction } from '../../api/use-action.js';
import { Button } from '../../parts/button.js';
import { ConfirmButton, Dialog } from '../../parts/dialog.js';
import { TextField } from '../../parts/field.js';
import { Icon } from '../../parts/icon.js';
import { Moment } from '../../parts/moment.js';
import { FaultNotice, Notice } from '../../parts/notice.js';
import { isolated } from '../../wording/isolate.js';
import { awaitsOwner, type ChecklistPath, changeText, type ItemChange, returnTo, STATE_TITLES } from './states.js';

interface ItemProps {
  readonly item: ChecklistItem;
  readonly path: ChecklistPath;
  readonly editable: boolean;
  /** Whether the person is an owner: confirms marks, removes items. */
  readonly owner: boolean;
  readonly onChange: () => void;
}

/** One line: its state to toggle, who set it and when, and what shows that it is done. */
export const Item = ({ item, path, editable, owner, onChange }: ItemProps) => {
  const inItem = { ...path, item_id: item.id };
  const [wanted, setWanted] = useState<ItemChange | undefined>(undefined);
  const [before, setBefore] = useState<ItemChange | undefined>(undefined);
  const [renaming, setRenaming] = useState(false);
  /** The version the person saw when the dialog for the reason opened. */
  const [marking, setMarking] = useState<number | undefined>(undefined);
  const change = useAction(async (body: ItemChange, version: number) => {
    setWanted(body);
    await client.changeChecklistItem({ path: inItem, body, ifMatch: version });
    onChange();
  });
  const set = async (body: ItemChange, from?: ItemChange, version = item.version) => {
    const isSet = await change.run(body, version);
    if (isSet) setBefore(from);
    return isSet;
  };
  const newer = change.fault?.current as ChecklistItem | undefined;
  const { fault } = change;
  const marked = item.state === 'not_applicable';
  return (
    <li class={`panel item ${item.state}`}>
      <div class="item-head">
        <label class="item-tick">
          <input
            type="checkbox"
            checked={item.state === 'done'}
            disabled={!editable || marked}
            onChange={(event) => {
              // Keeps the server's value on the screen; the new one follows with the answer.
              event.currentTarget.checked = item.state === 'done';
              void set({ state: item.state === 'done' ? 'open' : 'done' }, returnTo(item));
            }}
          />
          <span>{item.title}</span>
        </label>
        <span class="small soft">
          {STATE_TITLES[item.state]}
          {item.updated_by === null ? null : (
            <>
              {' '}
              by <bdi>{item.updated_by}</bdi> <Moment at={item.updated_at} />
            </>
          )}
        </span>
      </div>
      {newer === undefined || wanted === undefined ? null : (
        <Conflict
          newer={newer}
          wanted={wanted}
          onKeep={() => {
            setMarking(undefined);
            change.clear();
            onChange();
          }}
          onInsist={() => {
            setMarking(undefined);
            void change.run(wanted, newer.version);
          }}
        />
      )}
      {fault === undefined || newer !== undefined || marking !== undefined ? null : <FaultNotice fault={fault} />}
      {marked ? <Mark item={item} path={inItem} mayConfirm={editable && owner} onChange={onChange} /> : null}
      <EvidenceList item={item} path={inItem} editable={editable} onChange={onChange}>
        {marked ? (
          <Button
            compact
            look="plain"
            onClick={() => void set({ state: 'open' }, returnTo(item))}
            label={`Applicable: ${isolated(item.title)}`}
          >
            Applicable
          </Button>
        ) : null}
        <Button
          compact
          look="plain"
          onClick={() => {
            change.clear();
            setMarking(item.version);
          }}
          label={`${marked ? 'Change reason' : 'Not applicable'}: ${isolated(item.title)}`}
        >
          {marked ? 'Change reason…' : 'Not applicable…'}
        </Button>
        <Button
          compact
          look="plain"
          onClick={() => setRenaming(!renaming)}
          pressed={renaming}
          label={`Rename ${isolated(item.title)}`}
        >
          Rename
        </Button>
        {owner && item.origin === 'added' ? (
          <ConfirmButton
            compact
            look="plain"
            text="Remove"
            label={`Remove ${isolated(item.title)}`}
            title={`Remove ${isolated(item.title)}?`}
            perform={() => client.removeChecklistItem({ path: inItem })}
            onDone={onChange}
          >
            <p>It no longer counts. The scorecard names it until the release ships. You can restore it for 30 days.</p>
          </ConfirmButton>
        ) : null}
        <span role="status" class="row">
          {before === undefined || change.fault !== undefined ? null : (
            <>
              <span class="small">Saved.</span>
              <Button compact onClick={() => void set(before)} label={`Undo the change of ${isolated(item.title)}`}>
                Undo
              </Button>
            </>
          )}
        </span>
      </EvidenceList>
      {marking !== undefined && newer === undefined ? (
        <MarkDialog
          title={item.title}
          reason={item.reason ?? ''}
          owner={owner}
          busy={change.running}
          fault={fault}
          onReason={async (reason) => {
            if (await set({ state: 'not_applicable', reason }, returnTo(item), marking)) setMarking(undefined);
          }}
          onClose={() => {
            change.clear();
            setMarking(undefined);
          }}
        />
      ) : null}
      {renaming ? (
        <RenameItem
          title={item.title}
          busy={change.running}
          onDone={async (title) => {
            if (title === item.title || (await change.run({ title }, item.version))) setRenaming(false);
          }}
        />
      ) : null}
    </li>
  );
};

interface ConflictProps {
  readonly newer: ChecklistItem;
  readonly wanted: ItemChange;
  readonly onKeep: () => void;
  readonly onInsist: () => void;
}

/** Another person was first: shows both states, and the choice. */
const Conflict = ({ newer, wanted, onKeep, onInsist }: ConflictProps) => (
  <Notice look="attention">
    <p>
      <bdi>{newer.updated_by ?? 'Somebody'}</bdi> changed this item <Moment at={newer.updated_at} />. It now reads “
      <bdi>{newer.title}</bdi>”, <strong>{STATE_TITLES[newer.state]}</strong>; you wanted{' '}
      <strong>{changeText(wanted)}</strong>.
    </p>
    <p class="row">
      <Button compact onClick={onKeep}>
        Keep theirs
      </Button>
      <Button compact onClick={onInsist}>
        Set mine
      </Button>
    </p>
  </Notice>
);

interface MarkProps {
  readonly item: ChecklistItem;
  readonly path: ChecklistPath & { readonly item_id: string };
  readonly mayConfirm: boolean;
  readonly onChange: () => void;
}

/** Why an item does not apply, who said so, and the confirmation of an owner. */
const Mark = ({ item, path, mayConfirm, onChange }: MarkProps) => {
  const confirm = useAction(async () => {
    await client.confirmChecklistItem({ path, ifMatch: item.version });
    onChange();
  });
  const { title, reason, marked_by, marked_at, confirmed_by } = item;
  const awaiting = awaitsOwner(item);
  const changed = confirm.fault?.current !== undefined;
  return (
    <div class="stack item-inside">
      <p>
        {reason === null ? <span class="soft">No reason recorded</span> : <bdi>{reason}</bdi>}
        <br />
        <span class="small soft">
          {marked_by === null || marked_at === null ? null : (
            <>
              Marked by <bdi>{marked_by}</bdi> <Moment at={marked_at} />
              {'. '}
            </>
          )}
          {confirmed_by === null ? null : `Confirmed by ${isolated(confirmed_by)}.`}
        </span>
        {awaiting ? <span class="tag">Awaiting an owner’s confirmation: counts as open</span> : null}
      </p>
      {changed ? (
        <Notice look="attention">
          <p role="alert">The item was changed before you confirmed it. Read it again.</p>
        </Notice>
      ) : confirm.fault === undefined ? null : (
        <FaultNotice fault={confirm.fault} />
      )}
      {awaiting && mayConfirm ? (
        <div class="row">
          <Button
            compact
            busy={confirm.running}
            label={`Confirm: ${isolated(title)} is not applicable`}
            onClick={async () => {
              // Whether it was confirmed or changed by others: what is shown next is the newest state.
              if (!(await confirm.run())) onChange();
            }}
          >
            Confirm
          </Button>
        </div>
      ) : null}
    </div>
  );
};

interface MarkDialogProps {
  readonly title: string;
  /** The reason so far; empty: none yet. */
  readonly reason: string;
  readonly owner: boolean;
  readonly busy: boolean;
  readonly fault: CallFault | undefined;
  readonly onReason: (reason: string) => void;
  readonly onClose: () => void;
}

/** Asks why an item does not apply. */
const MarkDialog = ({ title, reason, owner, busy, fault, onReason, onClose }: MarkDialogProps) => {
  const [text, setText] = useState(reason);
  const [missing, setMissing] = useState(false);
  const wrong = fault?.fields['/reason'] ?? (missing && text === '' ? 'Enter a reason' : undefined);
  return (
    <Dialog
      title={`${isolated(title)} is not applicable`}
      onClose={onClose}
      onSubmit={() => {
        setMissing(true);
        if (text !== '') onReason(text);
      }}
    >
      {fault === undefined || fault.fields['/reason'] !== undefined ? null : <FaultNotice fault={fault} />}
      <TextField
        label="Reason"
        hint="Shown on the scorecard with your name. At most 500 characters."
        value={text}
        onValue={setText}
        wrong={wrong}
        autocomplete="off"
      />
      {owner ? null : <p class="small soft">The item counts as open until an owner of the team confirms it.</p>}
      <div class="row">
        <Button submit look="main" busy={busy}>
          Mark not applicable
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </Dialog>
  );
};

interface RenameItemProps {
  readonly title: string;
  readonly busy: boolean;
  readonly onDone: (title: string) => void;
}

/** Another title for an item. */
const RenameItem = ({ title, busy, onDone }: RenameItemProps) => {
  const [value, setValue] = useState(title);
  return (
    <form
      class="one-line"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onDone(value);
      }}
    >
      <TextField label="Title" value={value} onValue={setValue} />
      <Button submit busy={busy}>
        Save
      </Button>
    </form>
  );
};

interface EvidenceListProps {
  readonly item: ChecklistItem;
  readonly path: ChecklistPath & { readonly item_id: string };
  readonly editable: boolean;
  readonly onChange: () => void;
  /** Further actions of the item. */
  readonly children?: ComponentChildren;
}

/** Links that show an item is really done. */
const EvidenceList = ({ item, path, editable, onChange, children }: EvidenceListProps) => {
  const [linking, setLinking] = useState(false);
  const [form, setForm] = useState({ url: 'https://', label: '' });
  const add = useAction(async () => {
    await client.addEvidence({ path, body: form });
    setLinking(false);
    setForm({ url: 'https://', label: '' });
    onChange();
  });
  const remove = useAction(async (evidence_id: string) => {
    await client.removeEvidence({ path: { ...path, evidence_id } });
    onChange();
  });
  return (
    <div class="stack item-inside">
      {item.evidence.length === 0 ? null : (
        <ul>
          {item.evidence.map((evidence) => (
            <EvidenceLine
              key={evidence.id}
              evidence={evidence}
              onRemove={editable ? () => void remove.run(evidence.id) : undefined}
            />
          ))}
        </ul>
      )}
      {remove.fault === undefined ? null : <FaultNotice fault={remove.fault} />}
      {editable ? (
        <div class="row">
          <Button compact onClick={() => setLinking(true)} label={`Link evidence for ${isolated(item.title)}`}>
            <Icon name="link" />
            Link evidence
          </Button>
          {children}
        </div>
      ) : null}
      {linking ? (
        <Dialog
          title={`Evidence for ${isolated(item.title)}`}
          onClose={() => setLinking(false)}
          onSubmit={() => void add.run()}
        >
          {add.fault === undefined ? null : <FaultNotice fault={{ ...add.fault, fields: {} }} />}
          <TextField
            label="Address"
            type="url"
            value={form.url}
            onValue={(url) => setForm({ ...form, url })}
            wrong={add.fault?.fields['/url']}
          />
          <TextField
            label="What it shows"
            placeholder="Release notes"
            value={form.label}
            onValue={(label) => setForm({ ...form, label })}
            wrong={add.fault?.fields['/label']}
          />
          <div class="row">
            <Button submit look="main" busy={add.running}>
              Link it
            </Button>
            <Button onClick={() => setLinking(false)}>Cancel</Button>
          </div>
        </Dialog>
      ) : null}
    </div>
  );
};

const EvidenceLine = ({
  evidence,
  onRemove,
}: {
  readonly evidence: Evidence;
  readonly onRemove: (() => void) | undefined;
}) => (
  <li class="row">
    <a class="evidence-link" href={evidence.url} rel="noreferrer noopener" target="_blank">
      <Icon name="link" />
      {evidence.label}
    </a>
    <span class="small soft">
      linked by <bdi>{evidence.added_by}</bdi>
    </span>
    {onRemove === undefined ? null : (
      <Button compact look="plain" onClick={onRemove} label={`Remove the evidence ${isolated(evidence.label)}`}>
        Remove
      </Button>
    )}
  </li>
);
