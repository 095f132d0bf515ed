/** A header of deployments, and rows under it. */
export const HEADER = 'environment,commit_sha,status,started_at,external_id';
/** So many deployments, a minute apart, every tenth a failure. */
export const rows = (count: number, from = 0): readonly string[] =>
  Array.from({ length: count }, (_, at) => {
    const moment = new Date(Date.UTC(2026, 0, 1) + (from + at) * 60_000).toISOString();
    return `production,abcdef${String(at).padStart(6, '0')},${at % 10 === 0 ? 'failure' : 'success'},${moment},`;
  });
