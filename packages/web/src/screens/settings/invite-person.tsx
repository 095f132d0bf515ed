import type { Invitation } from '@shipworthy/client';
import { useState } from 'preact/hooks';
import { client } from '../../api/client.js';
import { useAction } from '../../api/use-action.js';
import { Button } from '../../parts/button.js';
import { FaultNotice } from '../../parts/notice.js';
import { Once } from '../../parts/once.js';
import { Panel } from '../../parts/page.js';
import { momentText } from '../../wording/moments.js';

/** For administrators: an account for somebody, who then makes a team of their own. */
export const InvitePerson = () => {
  const [made, setMade] = useState<Invitation | undefined>(undefined);
  const invite = useAction(async () => {
    setMade((await client.createInvitation({ body: {} })).body.data);
  });
  return (
    <Panel title="Invite somebody to this server">
      <div class="stack">
        <p>
          They get an account and make a team of their own. Into a team you own, invite on the team's own screen
          instead.
        </p>
        {invite.fault === undefined ? null : <FaultNotice fault={invite.fault} />}
        <div>
          <Button busy={invite.running} onClick={() => void invite.run()}>
            Make an invitation link
          </Button>
        </div>
        {made === undefined ? null : (
          <Once texts={[['Invitation link', made.url]]}>
            Send this link to one person. It works once, until {momentText(made.expires_at)}, and is not shown again.
          </Once>
        )}
      </div>
    </Panel>
  );
};
