import { Interrupted, isAccepted } from '../expect.ts';
import type { ResellerApi } from '../wire/reseller-api.ts';

/** The sub-users of a run, and the money on them. */
export interface SubUsers {
	/** A new name that is very likely unused. */
	freshName(): string;
	/** Makes a sub-user that rules share. Throws if the service refuses. */
	make(api: ResellerApi): Promise<string>;
	/** Takes back the balance of this sub-user too, which a rule is about to make. */
	hold(api: ResellerApi, username: string): void;
	/** Takes back all balance, and gives the sub-users that still hold some. Throws `Interrupted`. */
	takeBack(): Promise<readonly LeftBehind[]>;
	readonly prefix: string;
}

/** A sub-user whose balance could not be taken back or read. */
export interface LeftBehind {
	readonly username: string;
	readonly balanceCents: number | undefined;
}

/** Every name begins with `prefix`. `say` gets a line for each shared sub-user. */
export function createSubUsers(prefix: string, say: (line: string) => void): SubUsers {
	let names = 0;
	const holders = new Map<string, ResellerApi>();
	const freshName = () => `${prefix}.${++names}`;
	return {
		prefix,
		freshName,
		async make(api) {
			// The k is for rules about the Kelvin sign, which a look-up must not take for a k.
			const username = `${freshName()}k`;
			// Before the call, because the sub-user may exist even if the answer is lost.
			holders.set(username, api);
			const answer = await api.create({ username });
			if (answer.status >= 400 && answer.status < 500) holders.delete(username);
			if (!isAccepted(answer)) throw new Error(`create was answered ${answer.status} ${answer.errorCode ?? ''}`);
			say(`Made the sub-user ${username}. Rules give it balance and take it back.`);
			return username;
		},
		hold(api, username) {
			holders.set(username, api);
		},
		async takeBack() {
			const left = Array.from(holders, async ([username, api]) => {
				return { username, balanceCents: await takeAll(api, username) };
			});
			return (await Promise.all(left)).filter(({ balanceCents }) => balanceCents !== 0);
		},
	};
}

/** What is left on the sub-user, in cents; `undefined` if that cannot be read. */
async function takeAll(api: ResellerApi, username: string): Promise<number | undefined> {
	try {
		const answer = await api.viewSingle(username);
		// The create was lost.
		if (answer.errorCode === 'unknown_sub_user') return 0;
		const balanceCents = await api.balanceOf(username);
		if (balanceCents === 0) return 0;
		await api.take(username, balanceCents);
		return await api.balanceOf(username);
	} catch (error) {
		if (error instanceof Interrupted) throw error;
		return undefined;
	}
}
