export { backUpSqlite, type Restored, restoreSqlite } from './backup.js';
export { copyDatabase, sumsOf, type TableSum } from './copy/copy-database.js';
export { type Database, type DatabaseOptions, migrate, openDatabase } from './database.js';
export { migrateLater } from './migrations/migrate-later.js';
export { partitionTables, tendPartitions } from './partitions/tend.js';
export type { ReplicaListener, ReplicaRead } from './postgres/replica.js';
export { addIdentity, keepIdentity, type SqliteIdentity, sqliteIdentity, stretchStoredKey } from './secret-key.js';
export { makePrivateFolder } from './sqlite/connection.js';
export { knexReplica, knexStores, type ReadReplica } from './stores.js';
