import { type AuditEntry, DomainError } from '@shipworthy/domain';
import { openLineFile } from './line-file.js';

/** An append-only file with one audit entry per line, as JSON. One process at a time writes it. */
export interface AuditFile {
  /** Writes all entries to the disk, or none. Rejects with DomainError `unavailable` when they cannot be written. */
  append(entries: readonly AuditEntry[]): Promise<void>;
  /** Entries of the team, in the order they were appended. */
  ofTeam(teamId: string): Promise<readonly AuditEntry[]>;
}

/** Opens the file; creates it when it is missing. */
export const openAuditFile = async (path: string): Promise<AuditFile> => {
  const file = await openLineFile(path);
  const byTeam = new Map<string, AuditEntry[]>();

  const keep = (line: string): void => {
    const entry = JSON.parse(line) as AuditEntry;
    if (entry.teamId === null) return;
    const entries = byTeam.get(entry.teamId);
    if (entries === undefined) byTeam.set(entry.teamId, [entry]);
    else entries.push(entry);
  };

  return {
    append: (entries) =>
      file.append(entries.map((entry) => JSON.stringify(entry))).catch((error: unknown) => {
        throw new DomainError('unavailable', `The audit log cannot be written: ${String(error)}`);
      }),
    ofTeam: async (teamId) => {
      for (const line of await file.readOn()) keep(line);
      return [...(byTeam.get(teamId) ?? [])];
    },
  };
};
