import { type AddressCheckRequest, type CheckRequest, MAX_CHECKS } from '@bursar/contract/edge';
import type { PairAnswer } from './read-answers.ts';

/** Checks that are asked for at the same time go in one request. */
export interface CheckGathering {
	/** `undefined` if the service could not be asked. */
	ask(check: AnyCheck): Promise<PairAnswer | undefined>;
}

/** A pair, or the address of a client without one. */
export type AnyCheck = CheckRequest | AddressCheckRequest;

interface Waiting {
	readonly check: AnyCheck;
	readonly settle: (answer: PairAnswer | undefined) => void;
}

/** @bound Requests with checks at a time: the next checks gather meanwhile. */
const MAX_REQUESTS = 4;
/** @bound Checks that wait: further ones count as if the service were away. */
const MAX_WAITING = 20_000;
/**
 * One address must not fill the queue of all others. Many users can share an address, and all of them come at once when a
 * network comes back.
 * @bound Checks of one client address that wait: further ones of it count as if the service were away.
 */
const MAX_WAITING_OF_ONE = 5_000;

/**
 * Equal checks that wait share one answer. A check beyond the bound of its address, or of all, ends like a check while the
 * service is away, because the client did nothing wrong.
 */
export function createCheckGathering(
	send: (checks: readonly AnyCheck[]) => Promise<readonly PairAnswer[] | undefined>,
): CheckGathering {
	let line: Waiting[] = [];
	const asked = new Map<string, Promise<PairAnswer | undefined>>();
	const waitingOf = new Map<string, number>();
	let requests = 0;
	let isSending = false;

	function sendSoon(): void {
		if (isSending) return;
		isSending = true;
		// Checks that arrive in one turn of the event loop go together.
		setImmediate(() => {
			isSending = false;
			while (line.length > 0 && requests < MAX_REQUESTS) void sendSome();
		});
	}

	async function sendSome(): Promise<void> {
		const some = line.slice(0, MAX_CHECKS);
		line = line.slice(MAX_CHECKS);
		requests++;
		const answers = await send(some.map(({ check }) => check)).catch(() => undefined);
		requests--;
		for (const [index, { settle }] of some.entries()) settle(answers?.[index]);
		if (line.length > 0) sendSoon();
	}

	return {
		ask(check) {
			const { username, password, key_id, client = '' } = check as Partial<CheckRequest>;
			const name = JSON.stringify([username, password, key_id, client]);
			const same = asked.get(name);
			if (same) return same;
			if (line.length >= MAX_WAITING) return Promise.resolve(undefined);
			const waiting = waitingOf.get(client) ?? 0;
			if (client !== '' && waiting >= MAX_WAITING_OF_ONE) return Promise.resolve(undefined);
			waitingOf.set(client, waiting + 1);
			const answer = new Promise<PairAnswer | undefined>((resolve) => {
				line.push({ check, settle: resolve });
			}).finally(() => {
				asked.delete(name);
				const left = (waitingOf.get(client) ?? 1) - 1;
				if (left === 0) waitingOf.delete(client);
				else waitingOf.set(client, left);
			});
			asked.set(name, answer);
			sendSoon();
			return answer;
		},
	};
}
