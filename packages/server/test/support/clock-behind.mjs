// Loaded before a process that shall believe it is an hour earlier than it is.
const now = Date.now;
Date.now = () => now() - 3_600_000;
