import type { ChecklistItem } from '@shipworthy/client';
import { useState } from 'preact/hooks';
import { client } from '../../api/client.js';
import { useAction } from '../../api/use-action.js';
import { Button } from '../../parts/button.js';
import { Moment } from '../../parts/moment.js';
import { FaultNotice } from '../../parts/notice.js';
import { Conflict } from './conflict.js';
import { EvidenceList } from './evidence-list.js';
import { RenameItem } from './rename-item.js';
import { type ChecklistPath, type ItemChange, STATE_TITLES } from './states.js';

interface ItemProps {
  readonly item: ChecklistItem;
  readonly path: ChecklistPath;
  readonly editable: boolean;
  readonly onChange: () => void;
}

/** One line: its state to toggle, who set it and when, and what shows that it is done. */
export const Item = ({ item, path, editable, onChange }: ItemProps) => {
  const inItem = { ...path, item_id: item.id };
  const [wanted, setWanted] = useState<ItemChange | undefined>(undefined);
  const [before, setBefore] = useState<ChecklistItem['state'] | undefined>(undefined);
  const [renaming, setRenaming] = useState(false);
  const change = useAction(async (body: ItemChange, version: number) => {
    setWanted(body);
    await client.changeChecklistItem({ path: inItem, body, ifMatch: version });
    onChange();
  });
  const remove = useAction(async () => {
    await client.removeChecklistItem({ path: inItem });
    onChange();
  });
  const set = async (state: ChecklistItem['state'], from?: ChecklistItem['state']) => {
    if (await change.run({ state }, item.version)) setBefore(from);
  };
  const newer = change.fault?.current as ChecklistItem | undefined;
  const fault = change.fault ?? remove.fault;
  const applying = item.state === 'not_applicable' ? 'It applies' : 'Not applicable';
  return (
    <li class={`panel item ${item.state}`}>
      <div class="item-head">
        <label class="item-tick">
          <input
            type="checkbox"
            checked={item.state === 'done'}
            disabled={!editable || item.state === 'not_applicable'}
            onChange={(event) => {
              // What is shown is what the server says; it follows with the answer.
              event.currentTarget.checked = item.state === 'done';
              void set(item.state === 'done' ? 'open' : 'done', item.state);
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
            change.clear();
            onChange();
          }}
          onInsist={() => void change.run(wanted, newer.version)}
        />
      )}
      {fault === undefined || newer !== undefined ? null : <FaultNotice fault={fault} />}
      <EvidenceList item={item} path={inItem} editable={editable} onChange={onChange}>
        <Button
          compact
          look="plain"
          onClick={() => void set(item.state === 'not_applicable' ? 'open' : 'not_applicable', item.state)}
          label={`${applying}: ${item.title}`}
        >
          {applying}
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
        <Button
          compact
          look="plain"
          busy={remove.running}
          onClick={() => void remove.run()}
          label={`Remove ${item.title}`}
        >
          Remove
        </Button>
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
