import { Interrupted } from './check-errors.ts';
import { isAccepted } from './expect.ts';
import type { ResellerApi } from './reseller-api.ts';

/** The sub-users that a run has made, and the money that is on them. */
export interface SubUsers {
	/** A name that nobody has yet, as far as chance can tell. It counts as made once a create for it was answered. */
	freshName(): string;
	/** Makes a sub-user that rules share. Throws where that cannot be done. */
	make(api: ResellerApi): Promise<string>;
	/** Moves what they hold back to their resellers, and gives those that still hold something. Throws `Interrupted`. */
	takeBack(): Promise<readonly LeftBehind[]>;
	readonly prefix: string;
}

/** A sub-user whose balance could not be taken back, or not be learned. */
export interface LeftBehind {
	readonly username: string;
	readonly balanceCents: number | undefined;
}

/** `prefix` begins every name; `say` is told of those that are made. */
export function createSubUsers(prefix: string, say: (line: string) => void): SubUsers {
	let names = 0;
	const holders: { readonly api: ResellerApi; readonly username: string }[] = [];
	const freshName = () => `${prefix}.${++names}`;
	return {
		prefix,
		freshName,
		async make(api) {
			// The k is for look-ups: there is a sign beside it, that of Kelvin, which must not be taken for one.
			const username = `${freshName()}k`;
			// Before the call: should its answer be lost, the sub-user may be there all the same.
			holders.push({ api, username });
			const answer = await api.create({ username });
			if (!isAccepted(answer)) throw new Error(`create was answered ${answer.status} ${answer.errorCode ?? ''}`);
			say(`The sub-user ${username} was made; rules give it balance and take it back.`);
			return username;
		},
		async takeBack() {
			const left = holders.map(async ({ api, username }) => ({ username, balanceCents: await takeAll(api, username) }));
			return (await Promise.all(left)).filter(({ balanceCents }) => balanceCents !== 0);
		},
	};
}

/** What is left on the sub-user, in cents; `undefined` where that cannot be learned. */
async function takeAll(api: ResellerApi, username: string): Promise<number | undefined> {
	try {
		const answer = await api.viewSingle(username);
		// It was never made.
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
