import type { ReceivedInvitation } from '@shipworthy/client';
import { client } from '../../api/client.js';
import { refreshShown, useResource } from '../../api/resource.js';
import { ROLE_TITLES } from '../../api/role.js';
import { useAction } from '../../api/use-action.js';
import { MixedScripts } from '../../parts/address.js';
import { Button } from '../../parts/button.js';
import { ConfirmButton } from '../../parts/confirm-button.js';
import { FaultNotice } from '../../parts/notice.js';
import { Panel } from '../../parts/page.js';
import { momentText } from '../../wording/moments.js';

interface LineProps {
  readonly invitation: ReceivedInvitation;
  readonly onDone: () => void;
}

const Line = ({ invitation, onDone }: LineProps) => {
  const { id, team, role, invited_by: maker, mixed_scripts: mixed, expires_at: end } = invitation;
  const path = { invitation_id: id };
  const accept = useAction(async () => {
    await client.acceptReceivedInvitation({ path });
    onDone();
  });
  return (
    <li class="stack tight">
      <div class="row">
        <span>
          {maker} invites you to the team {team.name}, as {ROLE_TITLES[role].toLowerCase()}{' '}
          <span class="small soft">until {momentText(end)}</span>
          {mixed ? <MixedScripts /> : null}
        </span>
        <Button
          look="main"
          compact
          busy={accept.running}
          onClick={() => void accept.run()}
          label={`Join the team ${team.name}`}
        >
          Join
        </Button>
        <ConfirmButton
          text="Decline"
          label={`Decline to join ${team.name}`}
          title={`Decline to join ${team.name}?`}
          look="plain"
          compact
          perform={() => client.declineReceivedInvitation({ path })}
          onDone={onDone}
        >
          <p>An owner of the team can invite you again.</p>
        </ConfirmButton>
      </div>
      {accept.fault === undefined ? null : <FaultNotice fault={accept.fault} />}
    </li>
  );
};

/** The invitations for the person's own address; nothing where there are none, or they cannot be read. */
export const ReceivedInvitations = () => {
  const received = useResource<readonly ReceivedInvitation[]>('received-invitations', async (signal) => {
    const { body } = await client.listReceivedInvitations({ signal });
    return body.data;
  });
  const invitations = received.state.value.value ?? [];
  const done = () => {
    void received.refresh();
    for (const key of ['whoami', 'portfolio']) refreshShown(key);
  };
  if (invitations.length === 0) return null;
  return (
    <Panel title="Invitations for you">
      <ul class="stack">
        {invitations.map((invitation) => (
          <Line key={invitation.id} invitation={invitation} onDone={done} />
        ))}
      </ul>
    </Panel>
  );
};
