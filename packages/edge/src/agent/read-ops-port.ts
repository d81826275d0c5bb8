import { UsageError } from '@bursar/terminal';

/** Throws `UsageError` without the value, as all parsers of this command line do. */
export function readOpsPort(text: string): number {
	const port = Number(text);
	if (!/^\d{1,5}$/.test(text) || port > 65_535) throw new UsageError('--ops-port: a number from 0 to 65535 is needed');
	return port;
}
