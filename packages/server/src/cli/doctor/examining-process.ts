import type { CheckResult } from './checks.ts';
import { examineInstallation } from './examination.ts';

// The process of the checks. A disk or a name server that does not answer can keep a process from ending, so the command
// itself does not touch them, and ends this process when its time is up.

process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));

const tell = (result: CheckResult): void => void process.send?.(result);
await examineInstallation(process.env, tell);
process.send?.('done');
