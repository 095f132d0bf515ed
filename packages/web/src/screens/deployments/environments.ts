/** An environment and how many deployments went there. */
export interface EnvironmentCount {
  readonly environment: string;
  readonly count: number;
}

/** The environments deployments went to, the busiest first, then by name. */
export const environmentsOf = (
  deployments: readonly { readonly environment: string }[],
): readonly EnvironmentCount[] => {
  const counts = new Map<string, number>();
  for (const { environment } of deployments) counts.set(environment, (counts.get(environment) ?? 0) + 1);
  return [...counts]
    .map(([environment, count]) => ({ environment, count }))
    .sort((one, other) => other.count - one.count || one.environment.localeCompare(other.environment, 'en'));
};
