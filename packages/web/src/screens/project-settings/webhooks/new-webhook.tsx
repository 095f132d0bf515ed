import type { WebhookWithSecret } from '@shipworthy/client';
import { useState } from 'preact/hooks';
import { client } from '../../../api/client.js';
import { useAction } from '../../../api/use-action.js';
import { inProject, type ProjectPlace } from '../../../navigation/places.js';
import { Button } from '../../../parts/button.js';
import { Dialog } from '../../../parts/dialog.js';
import { TextField } from '../../../parts/field.js';
import { FaultNotice } from '../../../parts/notice.js';
import { Ticks } from '../../../parts/tick.js';
import { EVENTS, type EventName } from './webhook-words.js';

interface NewWebhookProps {
  readonly place: ProjectPlace;
  readonly onClose: () => void;
  readonly onDone: (webhook: WebhookWithSecret) => void;
}

const USUAL: readonly EventName[] = ['gate.changed', 'release.shipped'];

/** Where a project's events shall be sent to, and which. */
export const NewWebhook = ({ place, onClose, onDone }: NewWebhookProps) => {
  const [url, setUrl] = useState('https://');
  const [types, setTypes] = useState(USUAL);
  const create = useAction(async () => {
    onDone((await client.createWebhook({ path: inProject(place), body: { url, types } })).body.data);
  });
  const wrong = create.fault?.fields ?? {};
  return (
    <Dialog title="New webhook" onClose={onClose} onSubmit={() => void create.run()}>
      {create.fault === undefined ? null : <FaultNotice fault={{ ...create.fault, fields: {} }} />}
      <TextField
        label="Address"
        hint="Messages are sent there by POST, signed after Standard Webhooks."
        type="url"
        autocomplete="off"
        value={url}
        onValue={setUrl}
        wrong={wrong['/url']}
      />
      <Ticks legend="Send when" choices={EVENTS} chosen={types} onChosen={setTypes} wrong={wrong['/types']} />
      <div class="row">
        <Button submit look="main" busy={create.running}>
          Create the webhook
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </Dialog>
  );
};
