import type { ChecklistItem, Evidence } from '@shipworthy/client';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { client } from '../../api/client.js';
import type { CallFault } from '../../api/fault.js';
import { useAction, useCreation } from '../../api/use-action.js';
import { Button } from '../../parts/button.js';
import { ConfirmButton, Dialog } from '../../parts/dialog.js';
import { Form, TextField } from '../../parts/field.js';
import { Icon } from '../../parts/icon.js';
import { Moment } from '../../parts/moment.js';
import { FaultNotice, Notice } from '../../parts/notice.js';
import { offerUndo } from '../../parts/undo.js';
import { isolated } from '../../wording/isolate.js';
import { awaitsOwner, type ChecklistPath, changeText, type ItemChange, STATE_TITLES, wayBack } from './states.js';

interface ItemProps {
  readonly item: ChecklistItem;
  readonly path: ChecklistPath;
  readonly editable: boolean;
  /** Whether the person is an owner: confirms marks, removes items. */
  readonly owner: boolean;
  /** Gets the changed item from the server's answer. */
  readonly onChanged: (item: ChecklistItem) => void;
  readonly onChange: () => void;
}

/** One checklist item: its state to toggle, who set it and when, and its evidence. */
export const Item = ({ item, path, editable, owner, onChanged, onChange }: ItemProps) => {
  const inItem = { ...path, item_id: item.id };
  const [wanted, setWanted] = useState<ItemChange | undefined>(undefined);
  const [renaming, setRenaming] = useState(false);
  /** The version the person saw when the dialog for the reason opened. */
  const [marking, setMarking] = useState<number | undefined>(undefined);
  const change = useAction(async (body: ItemChange, before: ChecklistItem, version: number) => {
    setWanted(body);
    const { data } = (await client.changeChecklistItem({ path: inItem, body, ifMatch: version })).body;
    onChanged(data);
    const back = wayBack(before, body, owner);
    if (back === undefined) return;
    offerUndo(`${isolated(data.title)}: ${changeText(body)}.${back.lost}`, async () => {
      try {
        await client.changeChecklistItem({ path: inItem, body: back.change, ifMatch: data.version });
      } finally {
        onChange();
      }
    });
  });
  const set = (body: ItemChange, version = item.version) => change.run(body, item, version);
  const newer = change.fault?.current as ChecklistItem | undefined;
  const { fault } = change;
  const marked = item.state === 'not_applicable';
  // The tick is shown at once; when it is refused, the item is again what it was.
  const isDone = ((change.running ? wanted?.state : undefined) ?? item.state) === 'done';
  return (
    <li class={`panel item ${item.state}`}>
      <div class="item-head">
        <label class="item-tick">
          <input
            type="checkbox"
            checked={isDone}
            disabled={!editable || marked}
            onChange={(event) => {
              event.currentTarget.checked = isDone;
              void set({ state: item.state === 'done' ? 'open' : 'done' });
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
            setRenaming(false);
            change.clear();
            onChange();
          }}
          onInsist={() => {
            setMarking(undefined);
            setRenaming(false);
            void change.run(wanted, newer, newer.version);
          }}
        />
      )}
      {fault === undefined || newer !== undefined || marking !== undefined || renaming ? null : (
        <FaultNotice fault={fault} />
      )}
      {marked ? <Mark item={item} path={inItem} mayConfirm={editable && owner} onChange={onChange} /> : null}
      <EvidenceList item={item} path={inItem} editable={editable} onChange={onChange}>
        {marked ? (
          <Button
            compact
            look="plain"
            onClick={() => void set({ state: 'open' })}
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
            onDone={() => {
              onChange();
              offerUndo(`${isolated(item.title)}: removed.`, async () => {
                await client.restoreChecklistItem({ path: inItem }).finally(onChange);
              });
            }}
          >
            <p>It no longer counts. The scorecard names it until the release ships. You can restore it for 30 days.</p>
          </ConfirmButton>
        ) : null}
      </EvidenceList>
      {marking !== undefined && newer === undefined ? (
        <MarkDialog
          title={item.title}
          reason={item.reason ?? ''}
          owner={owner}
          busy={change.running}
          fault={fault}
          onReason={async (reason) => {
            if (await set({ state: 'not_applicable', reason }, marking)) setMarking(undefined);
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
          fault={newer === undefined ? fault : undefined}
          onDone={async (title) => {
            if (title === item.title || (await set({ title }))) setRenaming(false);
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

/** Shows both states of an item that another person changed first, and lets the person choose. */
const Conflict = ({ newer, wanted, onKeep, onInsist }: ConflictProps) => (
  <Notice look="attention">
    <p>
      <bdi>{newer.updated_by ?? 'Someone'}</bdi> changed this item <Moment at={newer.updated_at} />. It now reads “
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
  const { title, reason, marked_by, marked_at, confirmed_by } = item;
  const awaiting = awaitsOwner(item);
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
      {awaiting && mayConfirm ? (
        <div class="row">
          <ConfirmButton
            compact
            text="Confirm"
            label={`Confirm: ${isolated(title)} is not applicable`}
            title={`Confirm that ${isolated(title)} is not applicable?`}
            perform={async () => {
              try {
                await client.confirmChecklistItem({ path, ifMatch: item.version });
              } finally {
                // Confirmed now, or changed by another person before: either way the newest state is shown next.
                onChange();
              }
            }}
          >
            {reason === null ? null : (
              <p>
                <bdi>{reason}</bdi>
              </p>
            )}
            <p>
              It no longer counts, and the scorecard names you both. This cannot be undone; as applicable, the item is
              open again.
            </p>
          </ConfirmButton>
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
  readonly onReason: (reason: string) => Promise<void>;
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
      fault={fault}
      fields={['/reason']}
      onSubmit={() => {
        setMissing(true);
        return text === '' ? undefined : onReason(text);
      }}
    >
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
  readonly fault: CallFault | undefined;
  readonly onDone: (title: string) => Promise<void>;
}

/** Asks for another title of an item. */
const RenameItem = ({ title, busy, fault, onDone }: RenameItemProps) => {
  const [value, setValue] = useState(title);
  return (
    <Form fault={fault} fields={['/title']} onSubmit={() => onDone(value)}>
      <div class="one-line">
        <TextField label="Title" value={value} onValue={setValue} wrong={fault?.fields['/title']} />
        <Button submit busy={busy}>
          Save
        </Button>
      </div>
    </Form>
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
  const add = useCreation(async (keyed) => {
    const { data } = (await client.addEvidence(keyed({ path, body: form }))).body;
    setLinking(false);
    setForm({ url: 'https://', label: '' });
    onChange();
    offerUndo(`${isolated(data.label)}: linked.`, async () => {
      await client.removeEvidence({ path: { ...path, evidence_id: data.id } });
      onChange();
    });
  });
  return (
    <div class="stack item-inside">
      {item.evidence.length === 0 ? null : (
        <ul>
          {item.evidence.map((evidence) => (
            <EvidenceLine
              key={evidence.id}
              evidence={evidence}
              remove={
                editable ? () => client.removeEvidence({ path: { ...path, evidence_id: evidence.id } }) : undefined
              }
              onChange={onChange}
            />
          ))}
        </ul>
      )}
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
          fault={add.fault}
          fields={['/url', '/label']}
          onSubmit={() => add.run()}
        >
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

interface EvidenceLineProps {
  readonly evidence: Evidence;
  /** undefined: the person may not remove it. */
  readonly remove: (() => Promise<unknown>) | undefined;
  readonly onChange: () => void;
}

const EvidenceLine = ({ evidence, remove, onChange }: EvidenceLineProps) => (
  <li class="row">
    <a class="evidence-link" href={evidence.url} rel="noreferrer noopener" target="_blank">
      <Icon name="link" />
      {evidence.label}
    </a>
    <span class="small soft">
      linked by <bdi>{evidence.added_by}</bdi>
    </span>
    {remove === undefined ? null : (
      <ConfirmButton
        compact
        look="plain"
        text="Remove"
        label={`Remove the evidence ${isolated(evidence.label)}`}
        title={`Remove the evidence ${isolated(evidence.label)}?`}
        perform={remove}
        onDone={onChange}
      >
        <p>This cannot be undone: the audit log keeps who linked it. It can be linked again, under your name.</p>
      </ConfirmButton>
    )}
  </li>
);
