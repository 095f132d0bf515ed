/** A node of a plan as PostgreSQL explains it in JSON; only what is looked at. */
export interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows'?: number;
  readonly 'Actual Loops'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly 'Shared Hit Blocks'?: number;
  readonly 'Shared Read Blocks'?: number;
  readonly 'Index Name'?: string;
  readonly 'Conflict Arbiter Indexes'?: readonly string[];
  readonly Plans?: readonly PlanNode[];
}

/** What a carried-out plan did. */
export interface Effort {
  /** Rows answered or changed. */
  readonly rows: number;
  /** Rows of big tables looked at for that, in all loops. */
  readonly looked: number;
  /** Pages of 8 kB touched, in the cache or not. */
  readonly pages: number;
  /** Big tables read from end to end. */
  readonly scanned: readonly string[];
  readonly indexes: readonly string[];
}

const everyNode = (node: PlanNode): readonly PlanNode[] => [node, ...(node.Plans ?? []).flatMap(everyNode)];

const lookedAt = (node: PlanNode): number => {
  const each =
    (node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
  return each * (node['Actual Loops'] ?? 1);
};

const isScan = (node: PlanNode): boolean => node['Node Type'].includes('Scan') && node['Relation Name'] !== undefined;

const rowsOf = (node: PlanNode): number => {
  const own = node['Actual Rows'] ?? 0;
  const [below] = node.Plans ?? [];
  // A change that returns nothing has no rows of its own: those it was given count.
  return node['Node Type'] === 'ModifyTable' && own === 0 && below !== undefined ? (below['Actual Rows'] ?? 0) : own;
};

/** Sums up a plan; a scan that never ran (no loops) did nothing, and what a small table costs is not told from its rows. */
export const effortOf = (root: PlanNode, isBig: (table: string) => boolean): Effort => {
  const nodes = everyNode(root).filter((node) => node['Actual Loops'] !== 0);
  const names = (of: (node: PlanNode) => string | readonly string[] | undefined): readonly string[] =>
    [...new Set(nodes.flatMap((node) => of(node) ?? []))].toSorted();
  return {
    rows: rowsOf(root),
    looked: Math.round(
      nodes
        .filter((node) => isScan(node) && isBig(node['Relation Name'] ?? ''))
        .reduce((sum, node) => sum + lookedAt(node), 0),
    ),
    pages: (root['Shared Hit Blocks'] ?? 0) + (root['Shared Read Blocks'] ?? 0),
    scanned: names((node) => (node['Node Type'] === 'Seq Scan' ? node['Relation Name'] : undefined)).filter(isBig),
    indexes: names((node) => [...(node['Conflict Arbiter Indexes'] ?? []), ...[node['Index Name'] ?? []].flat()]),
  };
};
