import { SERVICE_ADDRESS } from '../../api/client.js';
import { CopyText } from '../../parts/copy-text.js';
import { Empty } from '../../parts/page.js';

const CALLBACK = '/api/settings/github/callback';

/** No repository host can be connected: what the administrator of the server sets. */
export const HostSetup = () => (
  <Empty title="The server is not set up for a repository host">
    <p class="measure">
      With GitHub or GitLab connected, issues, deployments and checks come from your repositories by themselves. Ask the
      administrator of this server to register an OAuth application there, with this address to return to:
    </p>
    <div class="fill">
      <CopyText label="Address to return to" text={SERVICE_ADDRESS + CALLBACK} />
    </div>
    <p>and to start the server with</p>
    <div class="fill">
      <CopyText label="Settings of the server" text={'GITHUB_CLIENT_ID=…\nGITHUB_CLIENT_SECRET=…'} />
    </div>
    <p class="small">
      For GitLab: <code>GITLAB_CLIENT_ID</code>, <code>GITLAB_CLIENT_SECRET</code>, <code>GITLAB_URL</code>, and{' '}
      <code>gitlab</code> for <code>github</code> in the address.
    </p>
  </Empty>
);
