import { useState } from 'preact/hooks';
import { client } from '../../api/client.js';
import { useAction } from '../../api/use-action.js';
import { Button } from '../../parts/button.js';
import { TextField } from '../../parts/field.js';
import { FaultNotice, Notice } from '../../parts/notice.js';
import { Panel } from '../../parts/page.js';

const EMPTY = { current_password: '', new_password: '' };

/** Another password; every other session of the person ends. */
export const ChangePassword = ({ email }: { readonly email: string }) => {
  const [form, setForm] = useState(EMPTY);
  const [changed, setChanged] = useState(false);
  const change = useAction(() => client.changePassword({ body: form }));
  const wrong = change.fault?.fields ?? {};
  return (
    <Panel title="Password">
      <form
        class="stack"
        noValidate
        onSubmit={async (event) => {
          event.preventDefault();
          setChanged(false);
          if (!(await change.run())) return;
          setForm(EMPTY);
          setChanged(true);
        }}
      >
        {change.fault === undefined ? null : <FaultNotice fault={{ ...change.fault, fields: {} }} />}
        {/* Whose password it is, for whatever keeps passwords. */}
        <input type="email" autocomplete="username" value={email} readOnly hidden />
        <TextField
          label="Present password"
          type="password"
          autocomplete="current-password"
          value={form.current_password}
          onValue={(current_password) => setForm({ ...form, current_password })}
          wrong={wrong['/current_password']}
        />
        <TextField
          label="New password"
          hint="12 characters or more."
          type="password"
          autocomplete="new-password"
          value={form.new_password}
          onValue={(new_password) => setForm({ ...form, new_password })}
          wrong={wrong['/new_password']}
        />
        <div>
          <Button submit busy={change.running}>
            Change the password
          </Button>
        </div>
        <div role="status">
          {changed ? (
            <Notice look="good">
              <p>It is changed. You are signed out everywhere else.</p>
            </Notice>
          ) : null}
        </div>
      </form>
    </Panel>
  );
};
