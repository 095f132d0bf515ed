import type { ChecklistItem } from '@shipworthy/client';
import { useState } from 'preact/hooks';
import { client } from '../../api/client.js';
import { useAction } from '../../api/use-action.js';
import { Button } from '../../parts/button.js';
import { ConfirmButton } from '../../parts/confirm-button.js';
import { Moment } from '../../parts/moment.js';
import { FaultNotice } from '../../parts/notice.js';
import { Conflict } from './conflict.js';
import { EvidenceList } from './evidence-list.js';
import { Mark } from './mark.js';
import { MarkDialog } from './mark-dialog.js';
import { RenameItem } from './rename-item.js';
import { type ChecklistPath, type ItemChange, returnTo, STATE_TITLES } from './states.js';

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
              // What is shown is what the server says; it follows with the answer.
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
              by {item.updated_by} <Moment at={item.updated_at} />
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
            label={`Applicable: ${item.title}`}
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
          label={`${marked ? 'Change reason' : 'Not applicable'}: ${item.title}`}
        >
          {marked ? 'Change reason…' : 'Not applicable…'}
        </Button>
        <Button
          compact
          look="plain"
          onClick={() => setRenaming(!renaming)}
          pressed={renaming}
          label={`Rename ${item.title}`}
        >
          Rename
        </Button>
        {owner && item.origin === 'added' ? (
          <ConfirmButton
            compact
            look="plain"
            text="Remove"
            label={`Remove ${item.title}`}
            title={`Remove ${item.title}?`}
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
              <Button compact onClick={() => void set(before)} label={`Undo the change of ${item.title}`}>
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
