import type { Invitation } from '@shipworthy/client';
import { useState } from 'preact/hooks';
import { client } from '../../api/client.js';
import { useAction } from '../../api/use-action.js';
import { MixedAddress } from '../../parts/address.js';
import { Button } from '../../parts/button.js';
import { TextField } from '../../parts/field.js';
import { FaultNotice } from '../../parts/notice.js';
import { Once } from '../../parts/once.js';
import { Panel } from '../../parts/page.js';
import { momentText } from '../../wording/moments.js';

/** For administrators: an account for somebody, who then makes a team of their own. `onMade` runs once there is a link. */
export const InvitePerson = ({ onMade }: { readonly onMade: () => void }) => {
  const [email, setEmail] = useState('');
  const [made, setMade] = useState<Invitation | undefined>(undefined);
  const invite = useAction(async () => {
    const address = email.trim();
    const body = address === '' ? {} : { email: address };
    setMade((await client.createInvitation({ body })).body.data);
    setEmail('');
    onMade();
  });
  return (
    <Panel title="Invite somebody to this server">
      <form
        class="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void invite.run();
        }}
      >
        <p>
          They get an account and make a team of their own. Into a team you own, invite on the team's own screen
          instead.
        </p>
        {invite.fault === undefined ? null : <FaultNotice fault={{ ...invite.fault, fields: {} }} />}
        <TextField
          label="Email (optional)"
          hint="With it, nobody of another address can accept, and the address counts as verified."
          type="email"
          autocomplete="off"
          value={email}
          onValue={setEmail}
          wrong={invite.fault?.fields['/email']}
        />
        <div>
          <Button submit busy={invite.running}>
            Make an invitation link
          </Button>
        </div>
        {made?.mixed_scripts ? <MixedAddress /> : null}
        {made === undefined ? null : (
          <Once texts={[['Invitation link', made.url]]}>
            Send this link to {made.email ?? 'one person'}. It works once, until {momentText(made.expires_at)}, and is
            not shown again.
          </Once>
        )}
      </form>
    </Panel>
  );
};
