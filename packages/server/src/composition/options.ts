import type { ReadReplica } from '@shipworthy/adapters/knex';
import type { OfferedStores } from '@shipworthy/domain';
import type { Clock, ConfiguredHost, HookSender, NewId, Secrets, VerdictSigner } from '@shipworthy/domain/ports';
import type { Authenticate } from '../http/authentication.js';
import type { Routes } from '../http/route.js';
import type { Log } from '../observability/log.js';
import type { ReportCache } from '../report-cache.js';
import type { CheckStores, ServiceFacts } from '../service-routes.js';
import type { ApplicationFiles } from '../web-files.js';

/** The values that routes need besides the ports. */
export interface RouteNeeds {
  readonly reports: ReportCache;
  readonly setupToken: string;
  /** Public address of the service. */
  readonly baseUrl: URL;
  /** Whether the application in the browser is served, so that pages lead on to it. */
  readonly application: boolean;
  readonly service: ServiceFacts;
}
export type CreateRoutes = (needs: RouteNeeds) => Routes;

/** The options of an instance of the service. Only the stores and the secret key have no default. */
export interface ShipworthyOptions {
  /** The core, and any of the groups of stores; what needs a group that is not there is answered 501 `not-offered`. */
  readonly stores: OfferedStores;
  /** Answers reads in the place of the stores where it is as new; without it they answer all. */
  readonly replica?: ReadReplica;
  /** 32 bytes or more, the same in every process of the service: signs cursors, and verdicts unless `verdicts` does. */
  readonly secretKey: Uint8Array;
  /**
   * Public address; the listening address unless given. Below a path, such as `https://acme.dev/shipworthy`, requests are
   * served whether that path was removed on the way or not.
   */
  readonly baseUrl?: URL;
  /** Asks the stores whether they answer and their schema is complete; without it any query that succeeds will do. */
  readonly checkStores?: CheckStores;
  /** Readies the stores for the time to come; done every hour, by every instance. Unless given, nothing is. */
  readonly tendStores?: () => Promise<void>;
  /** Closes the stores when the service is closed. */
  readonly closeStores?: () => Promise<void>;
  /** Own authentication instead of API keys and sessions. */
  readonly authenticate?: Authenticate;
  /** The repository host people may connect; its name is part of paths. Without it none can be connected. */
  readonly repositoryHost?: ConfiguredHost;
  /** Lets the first administrator in; without it no administrator can be set up. */
  readonly setupToken?: string;
  /** Requests per minute and key or session; null: not limited; 6,000 unless given. */
  readonly requestsPerMinute?: number | null;
  /** Bytes of request bodies that are kept at once, of one caller half of what others leave; 32 MiB unless given. */
  readonly mostBodyBytes?: number;
  /** How many proxies are in front of the server; 0 unless given. */
  readonly trustedProxies?: number;
  /**
   * Origins whose pages may call the service from a browser with an API key, such as `https://portal.acme.dev`; none unless given.
   * Sessions stay with the service's own pages.
   */
  readonly corsOrigins?: readonly string[];
  /** The application in the browser, as `readApplicationFiles` reads it; without it only the interface is served. */
  readonly application?: ApplicationFiles;
  /** Adds the demo once there is an administrator, unless there is one; no demo unless given. */
  readonly demo?: boolean;
  /** How many days deployments and test runs are kept; null or none: for ever. */
  readonly keepRecordsDays?: number | null;
  /** Bearer token for `/metrics`; without it the metrics are not served among the routes. */
  readonly metricsToken?: string;
  /** Silent unless given. */
  readonly log?: Log;
  readonly clock?: Clock;
  readonly newId?: NewId;
  readonly secrets?: Secrets;
  /** Host names, addresses and networks beyond the internet that webhooks may reach; none unless given. */
  readonly webhookTargets?: readonly string[];
  /** Sends the messages of webhooks; unless given, Node's own client to checked addresses. */
  readonly hookSender?: HookSender;
  /** Signs verdicts, say by a key that never leaves its vault; unless given, by a key made of the secret key. */
  readonly verdicts?: VerdictSigner;
}
