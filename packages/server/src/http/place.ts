import type { Operation, PathOf } from '@shipworthy/client/contract';
import type {
  ChecklistItem,
  Delivery,
  Deployment,
  Evidence,
  Issue,
  Role,
  TestRun,
  Waiver,
  Webhook,
} from '@shipworthy/domain';

/** What each path parameter resolves to. Teams, projects and releases stay ids, so that a hot read needs no query. */
export interface Places {
  readonly team_id: { readonly teamId: string; readonly role: Role };
  readonly project_id: { readonly projectId: string };
  readonly release_id: { readonly releaseId: string };
  readonly issue_id: { readonly issue: Issue };
  readonly item_id: { readonly item: ChecklistItem };
  readonly evidence_id: { readonly evidence: Evidence };
  readonly waiver_id: { readonly waiver: Waiver };
  readonly webhook_id: { readonly webhook: Webhook };
  readonly delivery_id: { readonly delivery: Delivery };
  readonly test_run_id: { readonly testRun: TestRun };
  readonly deployment_id: { readonly deployment: Deployment; readonly teamId: string; readonly role: Role };
}

type Together<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;

/** What the path of an operation names, resolved. Parameters beyond these (a person, a key) are the route's own to find. */
export type PlaceOf<O extends Operation> = [keyof PathOf<O> & keyof Places] extends [never]
  ? Readonly<Record<never, never>>
  : Together<Places[keyof PathOf<O> & keyof Places]>;
