import { readBoundedFile, UsageError } from '@bursar/terminal';
import type { Logger } from 'pino';
import { type DeniedList, readDenied } from './read-denied.ts';

/** The destinations that the operator denies, to all accounts and to those of some resellers. */
export interface DeniedDestinations {
	/**
	 * What is denied to the accounts of this reseller: names, with all names below them, and addresses. `undefined`: an
	 * older service does not say whose account it is, so the lists of resellers do not apply.
	 */
	of(reseller: string | undefined): (host: string, port: number) => boolean;
}

/** @bound The file of denied destinations: the proxy does not start with a longer one. */
const MAX_BYTES = 16 << 20;

/** Reads the file of `--denied`. Throws a `UsageError` that names the wrong line, and shows nothing of it. */
export function openDenied(file: string, logger: Logger): DeniedDestinations {
	let list: DeniedList;
	try {
		const bytes = readBoundedFile(file, MAX_BYTES);
		if (!bytes) throw new Error(`the file has more than ${MAX_BYTES} bytes`);
		list = readDenied(bytes.toString());
	} catch (cause) {
		const { code, message } = cause as NodeJS.ErrnoException;
		throw new UsageError(`--denied: ${code === undefined ? message : `the file cannot be read (${code})`}`);
	}
	logger.info({ entries: list.entries, resellers: list.ofResellers.size }, 'read the denied destinations');
	return createDenied(list, logger);
}

export function createDenied({ ofAll, ofResellers }: DeniedList, logger: Pick<Logger, 'warn'>): DeniedDestinations {
	let isTold = false;

	function tellOnce(): void {
		if (isTold || ofResellers.size === 0) return;
		isTold = true;
		logger.warn('the service is older and names no resellers, so what is denied to some of them is not denied');
	}

	return {
		of(reseller) {
			if (reseller === undefined) tellOnce();
			const own = reseller === undefined ? undefined : ofResellers.get(reseller);
			return (host, port) => ofAll.denies(host, port) || (own?.denies(host, port) ?? false);
		},
	};
}
