import { copyFile } from 'node:fs/promises';
import type { Workshop } from '../../process/workshop.js';

/** Where databases are made, of one kind. */
export interface Places {
  readonly title: string;
  /** An empty one. */
  create(): Promise<string>;
  /** Another one with the same content; nobody may have the first one open. */
  copy(url: string): Promise<string>;
}

/** SQLite files. */
export const sqlitePlaces = (workshop: Workshop): Places => ({
  title: 'SQLite',
  create: async () => `sqlite:${workshop.path('data.sqlite')}`,
  copy: async (url) => {
    const file = workshop.path('data.sqlite');
    await copyFile(url.slice('sqlite:'.length), file);
    return `sqlite:${file}`;
  },
});

/** Databases of one PostgreSQL. @param run carries out a statement there, outside any of them */
export const postgresPlaces = (
  createDatabase: (name: string) => Promise<string>,
  run: (statement: string) => Promise<unknown>,
): Places => {
  let made = 0;
  const nextName = (): string => {
    made += 1;
    return `steps_${made}`;
  };
  return {
    title: 'PostgreSQL',
    create: () => createDatabase(nextName()),
    copy: async (url) => {
      const target = new URL(url);
      const from = target.pathname.slice(1);
      const to = nextName();
      await run(`create database ${to} template ${from}`);
      target.pathname = `/${to}`;
      return target.href;
    },
  };
};
