// Preloaded into a process to set its clock back by one hour.
const now = Date.now;
Date.now = () => now() - 3_600_000;
