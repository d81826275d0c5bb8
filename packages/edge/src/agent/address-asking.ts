import { createCheckGathering } from './check-gathering.ts';
import type { EdgeClient } from './edge-client.ts';
import type { PairAnswer } from './read-answers.ts';
import { createUnknownAddresses, type UnknownAddresses } from './unknown-addresses.ts';

/** Asks the service which account signs in by the address of a client. Checks of pairs do not wait for it. */
export interface AddressAsking extends Pick<UnknownAddresses, 'tell'> {
	/** Whether no account signs in by it, as far as is known without asking. */
	isUnknown(address: string): boolean;
	/** `undefined`: no account signs in by it, or the service does not answer soon. Never rejects. */
	ask(address: string): Promise<PairAnswer | undefined>;
}

/** @bound A client without a pair waits for the service: then it is asked for a pair. */
const PATIENCE_MS = 500;

export function createAddressAsking(client: Pick<EdgeClient, 'check'>, nowMs: () => number): AddressAsking {
	const unknown = createUnknownAddresses(nowMs);
	// An older service refuses the whole request. So pairs never go in the same one.
	const gathering = createCheckGathering(async (checks) => {
		const result = await client.check(checks);
		if (result.ok) unknown.tell(result.value.signsInByAddress);
		else if (result.code === 'invalid_request') unknown.tell(undefined);
		else unknown.pause();
		return result.ok ? result.value.answers : undefined;
	});

	async function answerOf(address: string): Promise<PairAnswer | undefined> {
		const answer = await gathering.ask({ by_address: true, client: address });
		if (!answer || answer.reason === 'unavailable' || answer.reason === 'throttled') return undefined;
		if (answer.reason !== 'wrong_pair') return answer;
		unknown.add(address);
		return undefined;
	}

	return {
		isUnknown: unknown.has,
		tell: unknown.tell,
		async ask(address) {
			let timer: NodeJS.Timeout | undefined;
			const late = new Promise<undefined>((resolve) => {
				timer = setTimeout(() => {
					unknown.pause();
					resolve(undefined);
				}, PATIENCE_MS);
			});
			const answer = await Promise.race([answerOf(address), late]);
			clearTimeout(timer);
			return answer;
		},
	};
}
