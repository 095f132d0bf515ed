import type { ChecklistItem } from '@shipworthy/client';
import { useRoute } from 'preact-iso';
import { client } from '../../api/client.js';
import { useResource } from '../../api/resource.js';
import { useMay } from '../../api/role.js';
import { HOME, inRelease, projectAddress, releaseAddress, releaseKey } from '../../navigation/places.js';
import { Empty, Page } from '../../parts/page.js';
import { Shown } from '../../parts/shown.js';
import { countOf } from '../../wording/numbers.js';
import { AddItem } from './add-item.js';
import { Item } from './item.js';
import { RemovedItems } from './removed-items.js';
import { awaitsOwner } from './states.js';
import './checklist.css';

const summary = (items: readonly ChecklistItem[]): string => {
  const awaiting = items.filter(awaitsOwner).length;
  const applicable = awaiting + items.filter(({ state }) => state !== 'not_applicable').length;
  const done = items.filter(({ state }) => state === 'done').length;
  const rest = awaiting === 0 ? '' : `, ${countOf(awaiting, 'item')} awaiting an owner’s confirmation`;
  return `${done} of ${countOf(applicable, 'item')} done${rest}`;
};

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
  const member = useMay(teamId, 'member');
  const owner = useMay(teamId, 'owner');
  const { release, project } = items.state.value.value ?? {};
  const open = release?.state === 'planned' || release?.state === 'active';
  return (
    <Page
      title={
        release && project
          ? `Launch checklist of ${project.name} ${release.name}`
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
      lead={release && !open ? `The release is ${release.state}: its checklist stays as it is.` : undefined}
    >
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
                    onChange={() => void items.refresh()}
                  />
                ))}
              </ul>
            )}
            {member && open ? <AddItem path={path} onDone={() => void items.refresh()} /> : null}
            <RemovedItems
              items={known.removed}
              path={path}
              mayRestore={owner && open}
              onChange={() => void items.refresh()}
            />
          </div>
        )}
      </Shown>
    </Page>
  );
};
