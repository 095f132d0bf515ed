import { open } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Has the file's content written to the disk. */
export const syncFile = async (path: string): Promise<void> => {
  const file = await open(path, 'r+');
  await file.sync().finally(() => file.close());
};

/** Has the names in the file's folder written to the disk, where the system can do so. */
export const syncFolder = async (path: string): Promise<void> => {
  const folder = await open(dirname(path), 'r').catch(() => undefined);
  await folder?.sync().catch(() => undefined);
  await folder?.close();
};
