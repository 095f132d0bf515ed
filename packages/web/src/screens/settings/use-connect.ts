import { atHost } from '../../api/client.js';
import { type Action, useAction } from '../../api/use-action.js';

const LEAVING_MS = 5_000;

/** Goes to the host's page of approval; the host sends the person back to these settings. */
export const useConnect = (): Action<[]> =>
  useAction(async () => {
    const { body } = await atHost().connectHost();
    location.assign(body.data.url);
    // Until the browser has left, so that nobody begins a second time; who goes back to this page may begin again.
    await new Promise((resolve) => setTimeout(resolve, LEAVING_MS));
  });
