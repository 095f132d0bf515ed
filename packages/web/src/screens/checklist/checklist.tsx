import type { ChecklistItem, RemovedItem } from '@shipworthy/client';
import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { client } from '../../api/client.js';
import { useResource } from '../../api/resource.js';
import { useMay } from '../../api/session.js';
import { useAction, useCreation } from '../../api/use-action.js';
import { HOME, inRelease, projectAddress, releaseAddress, releaseKey } from '../../navigation/places.js';
import { Button } from '../../parts/button.js';
import { Form, TextField } from '../../parts/field.js';
import { ExportCsv } from '../../parts/list-filter.js';
import { Moment } from '../../parts/moment.js';
import { FaultNotice } from '../../parts/notice.js';
import { Empty, PageFrame, Panel, ProjectNav } from '../../parts/page.js';
import { Shown } from '../../parts/shown.js';
import { offerUndo } from '../../parts/undo.js';
import { isolated } from '../../wording/isolate.js';
import { dateText } from '../../wording/moments.js';
import { countOf } from '../../wording/numbers.js';
import { Item } from './item.js';
import { awaitsOwner, type ChecklistPath } from './states.js';
import './checklist.css';

/** The launch checklist: what people confirm, with the evidence for it. */
export const Checklist = () => {
  const { teamId = '', projectId = '', releaseId = '' } = useRoute().params;
  const place = { teamId, projectId, releaseId };
  const path = inRelease(place);
  const items = useResource(releaseKey(place, 'checklist'), async (signal) => {
    const [{ body: list }, { body: release }, { body: project }] = await Promise.all([
      client.listChecklist({ path, signal }),
      client.readRelease({ path, signal }),
      client.readProject({ path, signal }),
    ]);
    return { items: list.data, removed: list.removed, release: release.data, project: project.data };
  });
  /** Shows a changed item as it was answered, so that a tick does not jump back until the list is read again. */
  const showChanged = (changed: ChecklistItem) => {
    const known = items.state.peek().value;
    if (known !== undefined)
      items.put({ ...known, items: known.items.map((each) => (each.id === changed.id ? changed : each)) });
    void items.refresh();
  };
  const member = useMay(teamId, 'member');
  const owner = useMay(teamId, 'owner');
  const { release, project } = items.state.value.value ?? {};
  const open = release?.state === 'planned' || release?.state === 'active';
  return (
    <PageFrame
      title={
        release && project
          ? `Launch checklist of ${isolated(project.name)} ${isolated(release.name)}`
          : items.state.value.fault && 'Launch checklist'
      }
      crumbs={
        release && project
          ? [
              ['Projects', HOME],
              [project.name, projectAddress(place)],
              [release.name, releaseAddress(place)],
            ]
          : []
      }
      actions={release && <ExportCsv place={place} file="checklist.csv" />}
      lead={release && !open ? `The release is ${release.state}: its checklist stays as it is.` : undefined}
    >
      {release || items.state.value.fault ? <ProjectNav place={place} /> : null}
      <Shown of={items}>
        {(known) => (
          <div class="stack wide">
            <p role="status">{summary(known.items)}</p>
            {known.items.length === 0 ? (
              <Empty title="No item">
                <p>Add what must be done before this release may ship.</p>
              </Empty>
            ) : (
              <ul class="stack">
                {known.items.map((item) => (
                  <Item
                    key={item.id}
                    item={item}
                    path={path}
                    editable={member && open}
                    owner={owner}
                    onChanged={showChanged}
                    onChange={() => void items.refresh()}
                  />
                ))}
              </ul>
            )}
            {member && open ? <AddItem path={path} owner={owner} onDone={() => void items.refresh()} /> : null}
            <RemovedItems
              items={known.removed}
              path={path}
              mayRestore={owner && open}
              onChange={() => void items.refresh()}
            />
          </div>
        )}
      </Shown>
    </PageFrame>
  );
};

const summary = (items: readonly ChecklistItem[]): string => {
  const awaiting = items.filter(awaitsOwner).length;
  const applicable = awaiting + items.filter(({ state }) => state !== 'not_applicable').length;
  const done = items.filter(({ state }) => state === 'done').length;
  const rest = awaiting === 0 ? '' : `, ${countOf(awaiting, 'item')} awaiting an owner’s confirmation`;
  return `${done} of ${countOf(applicable, 'item')} done${rest}`;
};

interface AddItemProps {
  readonly path: ChecklistPath;
  /** Whether the person may also remove items. */
  readonly owner: boolean;
  readonly onDone: () => void;
}

/** Adds an item at the end of the list. */
const AddItem = ({ path, owner, onDone }: AddItemProps) => {
  const [title, setTitle] = useState('');
  const add = useCreation(async (keyed) => {
    const { data } = (await client.addChecklistItem(keyed({ path, body: { title } }))).body;
    setTitle('');
    onDone();
    if (!owner) return;
    offerUndo(`${isolated(data.title)}: added.`, async () => {
      await client.removeChecklistItem({ path: { ...path, item_id: data.id } });
      onDone();
    });
  });
  return (
    <Form fault={add.fault} fields={['/title']} onSubmit={() => add.run()}>
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
    </Form>
  );
};

interface RemovedItemsProps {
  readonly items: readonly RemovedItem[];
  readonly path: ChecklistPath;
  readonly mayRestore: boolean;
  readonly onChange: () => void;
}

/** The items that were removed from the checklist; each can be restored for 30 days. */
const RemovedItems = ({ items, path, mayRestore, onChange }: RemovedItemsProps) => {
  const restore = useAction(async (item_id: string) => {
    const inItem = { ...path, item_id };
    const { data } = (await client.restoreChecklistItem({ path: inItem })).body;
    onChange();
    offerUndo(`${isolated(data.title)}: restored.`, async () => {
      await client.removeChecklistItem({ path: inItem });
      onChange();
    });
  });
  if (items.length === 0) return null;
  return (
    <Panel title="Removed items">
      {restore.fault === undefined ? null : <FaultNotice fault={restore.fault} />}
      <ul class="removed-items">
        {items.map(({ id, title, removed_by, removed_at, restorable_until }) => {
          const restorable = restorable_until !== null && Date.parse(restorable_until) > Date.now();
          return (
            <li key={id}>
              <span>
                <strong>
                  <bdi>{title}</bdi>
                </strong>
                <br />
                <span class="small soft">
                  Removed by <bdi>{removed_by}</bdi> <Moment at={removed_at} />
                  {restorable ? `; can be restored until ${dateText(restorable_until)}` : ''}
                </span>
              </span>
              {mayRestore && restorable ? (
                <Button
                  compact
                  busy={restore.running}
                  label={`Restore ${isolated(title)}`}
                  onClick={() => void restore.run(id)}
                >
                  Restore
                </Button>
              ) : null}
            </li>
          );
        })}
      </ul>
    </Panel>
  );
};
