import type { Fault, FaultScope } from '@shipworthy/adapters/test-host';
import { nextMessage, sendOrder, startChild } from '../process/child.js';
import type { Workshop } from '../process/workshop.js';
import type { HostLogin, HostOrder, PageQueries, RepositoryFill, Traffic } from './host-order.js';
import type { WorldCount } from './repository.js';

/** A host that behaves like GitHub and runs as a process of its own, so that its memory and time are not the server's. */
export interface Host extends HostLogin {
  /** Adds a repository. */
  fill(repository: RepositoryFill): Promise<void>;
  /** Lets people be sent back to that address. */
  register(redirectUrl: string): Promise<void>;
  /** The requests to the host since the last call. */
  traffic(): Promise<Traffic>;
  /** The queries by which the host was asked for pages. */
  queries(): Promise<PageQueries>;
  /** Counts the contents of the repository. */
  count(path: string): Promise<WorldCount>;
  /** Begins deployments, which do not end. */
  beginDeployments(path: string, count: number): Promise<void>;
  /** Changes issues, and ends every deployment that has begun; returns how many ended. */
  changeIssues(path: string, count: number): Promise<number>;
  /** Makes requests fail by this fault from now on. */
  inject(fault: Fault, scope?: FaultScope): Promise<void>;
  /** Takes all faults away. */
  calm(): Promise<void>;
  /** Makes the host unreachable until `open`. */
  shut(): Promise<void>;
  open(): Promise<void>;
  /** Refuses every token it has given out. */
  revoke(): Promise<void>;
  /** Whether a grant was ever shown to another origin that it led to. */
  leaked(): Promise<boolean>;
}

/** Starts a host without repositories. */
export const startHost = async (workshop: Workshop): Promise<Host> => {
  const program = new URL('./host-main.js', import.meta.url).href;
  const child = startChild(workshop, { program });
  const access = await nextMessage<HostLogin>(child);
  const order = <Result>(wanted: HostOrder): Promise<Result> =>
    sendOrder(child, wanted, `The host could not do "${wanted.kind}"`);
  return {
    ...access,
    fill: async (repository) => void (await order({ kind: 'fill', repository })),
    register: async (redirectUrl) => void (await order({ kind: 'register', redirectUrl })),
    traffic: () => order({ kind: 'traffic' }),
    queries: () => order({ kind: 'queries' }),
    count: (path) => order({ kind: 'count', path }),
    beginDeployments: async (path, count) => void (await order({ kind: 'begin deployments', path, count })),
    inject: async (fault, scope = {}) => void (await order({ kind: 'inject', fault, scope })),
    calm: async () => void (await order({ kind: 'calm' })),
    shut: async () => void (await order({ kind: 'shut' })),
    open: async () => void (await order({ kind: 'open' })),
    revoke: async () => void (await order({ kind: 'revoke' })),
    leaked: () => order({ kind: 'leaked' }),
    changeIssues: (path, count) => order({ kind: 'change issues', path, count }),
  };
};
