import type { ChecklistItem, Evidence } from '@shipworthy/client';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { client } from '../../api/client.js';
import { useAction } from '../../api/use-action.js';
import { Button } from '../../parts/button.js';
import { Dialog } from '../../parts/dialog.js';
import { TextField } from '../../parts/field.js';
import { Icon } from '../../parts/icon.js';
import { FaultNotice } from '../../parts/notice.js';
import type { ChecklistPath } from './states.js';

interface EvidenceListProps {
  readonly item: ChecklistItem;
  readonly path: ChecklistPath & { readonly item_id: string };
  readonly editable: boolean;
  readonly onChange: () => void;
  /** What else can be done with the item. */
  readonly children?: ComponentChildren;
}

const One = ({ evidence, onRemove }: { readonly evidence: Evidence; readonly onRemove: (() => void) | undefined }) => (
  <li class="row">
    <a class="evidence-link" href={evidence.url} rel="noreferrer noopener" target="_blank">
      <Icon name="link" />
      {evidence.label}
    </a>
    <span class="small soft">linked by {evidence.added_by}</span>
    {onRemove === undefined ? null : (
      <Button compact look="plain" onClick={onRemove} label={`Remove the evidence ${evidence.label}`}>
        Remove
      </Button>
    )}
  </li>
);

/** Links that show an item is really done. */
export const EvidenceList = ({ item, path, editable, onChange, children }: EvidenceListProps) => {
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
            <One
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
          <Button compact onClick={() => setLinking(true)} label={`Link evidence for ${item.title}`}>
            <Icon name="link" />
            Link evidence
          </Button>
          {children}
        </div>
      ) : null}
      {linking ? (
        <Dialog title={`Evidence for ${item.title}`} onClose={() => setLinking(false)} onSubmit={() => void add.run()}>
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
