export { backUpSqlite } from './backup/back-up.js';
export { type Restored, restoreSqlite } from './backup/restore.js';
export { sumsOf, type TableSum } from './copy/checksum.js';
export { copyDatabase } from './copy/copy-database.js';
export { type Database, type DatabaseOptions, migrate, openDatabase } from './database.js';
export { partitionTables } from './partitions/partition-tables.js';
export { tendPartitions } from './partitions/tend-partitions.js';
export type { ReplicaListener, ReplicaRead } from './replica/replica.js';
export { knexReplica, knexStores, type ReadReplica } from './stores.js';
