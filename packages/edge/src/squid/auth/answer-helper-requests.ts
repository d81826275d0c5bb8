import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { page } from '@bursar/terminal';
import type { Logger } from 'pino';
import type { KnownPair, PairChecker } from '../../agent/pair-checker.ts';
import type { PairRefusal } from '../../agent/read-answers.ts';
import type { RefusalReporter } from '../../agent/refusal-reporter.ts';
import { createLineSplitter } from '../split-lines.ts';
import { type HelperPair, type HelperRequest, readHelperRequest } from './helper-request.ts';

export interface HelperParts {
	readonly input: Readable;
	readonly output: Writable;
	readonly checker: Pick<PairChecker, 'check'>;
	readonly logger: Logger;
	readonly refusals: Pick<RefusalReporter, 'add'>;
	/** Called for each good pair with the connection on which it was used. */
	readonly onGood?: (peer: string, pair: KnownPair) => void;
}

/** The annotation with which Squid logs the account of these bytes. Only a good pair has it. */
const NOTE = 'bursar_user';
/** A message that Squid can show, and a note for its rules and logs. Squid answers 407 to all of them. */
const MESSAGES: Readonly<Record<PairRefusal, string>> = {
	wrong_pair: 'The username or the password is wrong.',
	throttled: 'Too many wrong passwords came from this address.',
	unavailable: 'The password cannot be checked now.',
	suspended: 'This account is suspended.',
	expired: 'This account has expired.',
	address_not_allowed: 'This account cannot be used from this address.',
	exhausted: 'Nothing is left of the balance of this account.',
	limit_reached: 'This account has reached a limit of its bytes.',
	connection_limit_reached: 'This account has as many connections as it may have.',
};
/**
 * Squid's own buffer for a request has 8 KiB.
 * @bound Bytes of a line of Squid: only the beginning of a longer one is read.
 */
const MAX_LINE = 1 << 16;
const WARN_AGAIN_MS = 60_000;
const NO_PAIR = `Squid sent a request without what key_extras adds. No pair can be checked: see ${page('docs/edge/squid.md')}`;

/**
 * Answers Squid's requests, each as soon as its answer is known, and at most as many at once as Squid's `concurrency`.
 * Survives any bytes. Resolves after the input has ended and every request has its answer.
 */
export async function answerHelperRequests(parts: HelperParts): Promise<void> {
	const { input, output, checker, logger, refusals, onGood } = parts;
	const lines = createLineSplitter(MAX_LINE);
	const open = new Set<Promise<void>>();
	let warnedAtMs = Number.NEGATIVE_INFINITY;

	async function answer({ channel, pair }: HelperRequest): Promise<void> {
		if (!pair) logNoPair();
		output.write(`${channel} ${pair ? await check(pair) : 'ERR'}\n`);
	}

	async function check(pair: HelperPair): Promise<string> {
		try {
			const { pair: good, refused } = await checker.check(pair);
			if (!good) {
				refusals.add({ username: pair.username, reason: refused, client: pair.client });
				return `ERR message="${MESSAGES[refused]}" reason=${refused}`;
			}
			onGood?.(pair.peer, good);
			return `OK ${NOTE}=${good.username}`;
		} catch (cause) {
			// The cause could hold the request, so only its kind is logged.
			logger.error({ kind: (cause as Error)?.name }, 'a check failed');
			return 'ERR';
		}
	}

	function logNoPair(): void {
		if (performance.now() - warnedAtMs < WARN_AGAIN_MS) return;
		warnedAtMs = performance.now();
		logger.error(NO_PAIR);
	}

	for await (const bytes of input) {
		for (const line of lines.push(bytes)) {
			const request = readHelperRequest(line);
			if (!request) continue;
			const answered = answer(request).finally(() => open.delete(answered));
			open.add(answered);
		}
		if (output.writableNeedDrain) await once(output, 'drain');
	}
	await Promise.all(open);
}
