// Loaded before a child's own program (--import): when the parent is gone, killed or not, the child goes too.
process.on('disconnect', () => process.exit(0));
// The channel alone must not keep a child alive that has nothing else to do.
process.channel?.unref();
