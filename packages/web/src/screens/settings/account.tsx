import { client } from '../../api/client.js';
import { useResource } from '../../api/resource.js';
import { ROLE_TITLES } from '../../api/role.js';
import { signedOut, visitor } from '../../api/session.js';
import { useAction } from '../../api/use-action.js';
import { teamAddress, WELCOME } from '../../navigation/places.js';
import { Button } from '../../parts/button.js';
import { FaultNotice } from '../../parts/notice.js';
import { Panel } from '../../parts/page.js';
import { Shown } from '../../parts/shown.js';
import { ChangePassword } from './change-password.js';
import { Colours } from './colours.js';
import { SettingsPage } from './settings-page.js';
import './settings.css';

const Teams = () => {
  const caller = useResource('whoami', async (signal) => (await client.whoAmI({ signal })).body.data);
  return (
    <Panel title="Your teams">
      <Shown of={caller} lines={1}>
        {({ teams }) =>
          teams.length === 0 ? (
            <p class="soft">
              None yet. <a href={WELCOME}>Create a team</a> with its first project.
            </p>
          ) : (
            <ul class="stack tight">
              {teams.map((team) => (
                <li key={team.id}>
                  <a href={teamAddress(team.id)}>{team.name}</a>{' '}
                  <span class="soft small">{ROLE_TITLES[team.role]}</span>
                </li>
              ))}
            </ul>
          )
        }
      </Shown>
    </Panel>
  );
};

/** Who the person is here, the password, the colours and the way out. */
export const Account = () => {
  const who = visitor.value;
  const leave = useAction(async () => {
    await client.signOut();
    signedOut();
  });
  if (who.kind !== 'signed_in') return null;
  return (
    <SettingsPage title="Account">
      <div class="pair">
        <div class="stack wide">
          <Panel
            title="You"
            beside={
              <Button compact busy={leave.running} onClick={() => void leave.run()} label="Sign out here">
                Sign out
              </Button>
            }
          >
            {leave.fault === undefined ? null : <FaultNotice fault={leave.fault} />}
            <dl class="terms">
              <dt>Name</dt>
              <dd>{who.user.name}</dd>
              <dt>Email</dt>
              <dd>
                {who.user.email}
                {who.user.email_verified ? null : ' (unverified: an administrator can vouch for it)'}
              </dd>
            </dl>
          </Panel>
          <Teams />
          <Colours />
        </div>
        <div class="stack wide">
          <ChangePassword email={who.user.email} />
        </div>
      </div>
    </SettingsPage>
  );
};
