import type { Operation } from './operation.js';
import { PROBLEMS, type ProblemType } from './problem.js';

const ofAuth = ({ auth, method }: Operation): readonly ProblemType[] => {
  if (auth.kind === 'signature') return ['wrong-signature'];
  const crossSite: readonly ProblemType[] = method === 'GET' ? [] : ['cross-site'];
  if (auth.kind === 'open') return crossSite;
  const role: readonly ProblemType[] = auth.role === undefined || auth.role === 'viewer' ? [] : ['forbidden'];
  if (auth.kind === 'session') return ['unauthenticated', 'session-only', ...crossSite, ...role];
  const scope: readonly ProblemType[] = auth.scope === null ? [] : ['missing-scope'];
  return ['unauthenticated', ...scope, ...crossSite, ...role];
};

const ofInput = (operation: Operation): readonly ProblemType[] => [
  ...(operation.path.includes('{') ? (['not-found'] as const) : []),
  ...(operation.body ? (['malformed-json', 'body-too-large', 'unsupported-media-type', 'body-consumed'] as const) : []),
  // A query parameter that is not known is refused everywhere, so that a misspelt one is not lost in silence.
  'invalid',
  ...(operation.idempotent ? (['idempotency-key-in-use', 'idempotency-key-reused'] as const) : []),
  ...(operation.ifMatch ? (['version-mismatch'] as const) : []),
  ...(operation.ifMatch === 'required' ? (['version-required'] as const) : []),
];

/** Every problem type the operation may answer: its own and those that follow from its kind; each once, by status. */
export const problemsOf = (operation: Operation): readonly ProblemType[] => {
  const limited: readonly ProblemType[] = operation.unlimited ? [] : ['too-many-requests'];
  const all = new Set<ProblemType>([
    ...operation.problems,
    ...ofAuth(operation),
    ...ofInput(operation),
    ...limited,
    'method-not-allowed',
    'internal',
    'unavailable',
  ]);
  return [...all].sort((a, b) => statusOf(operation, a) - statusOf(operation, b) || a.localeCompare(b));
};

/** The HTTP status with which the operation answers that problem. */
export const statusOf = (operation: Operation, type: ProblemType): number =>
  operation.problemStatus?.[type] ?? PROBLEMS[type].status;
