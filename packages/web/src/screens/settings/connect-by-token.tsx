import { useState } from 'preact/hooks';
import { atHost } from '../../api/client.js';
import { useAction } from '../../api/use-action.js';
import { Button } from '../../parts/button.js';
import { TextField } from '../../parts/field.js';
import { FaultNotice } from '../../parts/notice.js';
import { Panel } from '../../parts/page.js';

/** What a token needs that reads chosen repositories only, by the host's name in paths. */
const NARROW_TOKENS: Readonly<Record<string, string>> = {
  github:
    'At GitHub: Settings, Developer settings, Fine-grained tokens. Choose the repositories, and read-only access to Issues, Deployments, Checks, Actions, Commit statuses and Metadata.',
  gitlab:
    'At GitLab: Settings, Access tokens of the project or group. Choose the role Reporter and the scope read_api.',
};
const ANY_TOKEN = 'Choose the repositories, and read access only.';

interface ConnectByTokenProps {
  readonly host: { readonly name: string; readonly title: string };
  readonly onDone: () => void;
}

/** Connects by a token that the person made at the host for chosen repositories. */
export const ConnectByToken = ({ host, onDone }: ConnectByTokenProps) => {
  const [token, setToken] = useState('');
  const connect = useAction(async () => {
    await atHost().connectHostByToken({ body: { token } });
    setToken('');
    onDone();
  });
  const wrong = connect.fault?.fields ?? {};
  return (
    <Panel title="Use a token for chosen repositories">
      <form
        class="stack measure"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void connect.run();
        }}
      >
        {connect.fault === undefined ? null : <FaultNotice fault={{ ...connect.fault, fields: {} }} />}
        <TextField
          label={`Token of ${host.title}`}
          hint={`${NARROW_TOKENS[host.name] ?? ANY_TOKEN} It is kept sealed and never shown again; to end it, delete it at ${host.title}.`}
          type="password"
          autocomplete="off"
          value={token}
          onValue={(text) => setToken(text.trim())}
          wrong={wrong['/token']}
        />
        <div>
          <Button submit busy={connect.running}>
            Use this token
          </Button>
        </div>
      </form>
    </Panel>
  );
};
