import { expectAccepted, Interrupted, NotTestable } from '../expect.ts';
import type { Basis } from '../wire/answer.ts';
import type { AnswerWatch } from '../wire/answer-watch.ts';
import type { ResellerApi } from '../wire/reseller-api.ts';
import type { Wire } from '../wire/wire.ts';
import type { Account } from './accounts.ts';
import type { Spending } from './spending.ts';
import type { SubUsers } from './sub-users.ts';

/** What the test of a rule needs. */
export type Need =
	/** A sub-user of the reseller, with balance 0. */
	| 'sub-user'
	/** The token of another reseller, and a sub-user of that reseller. */
	| 'second-reseller'
	/** The rule moves nearly the whole balance of the reseller to the sub-user for a moment. */
	| 'whole-balance'
	/** No proxy in front of the service answers invalid HTTP itself. */
	| 'direct'
	/** The rule takes a minute or more. */
	| 'slow';

/** What the check of a rule gets. */
export interface Session {
	readonly baseUrl: URL;
	/** By `contract`, only what the contract states is checked. */
	readonly heldTo: Basis;
	readonly wire: Wire;
	readonly watch: AnswerWatch;
	readonly spending: Spending;
	readonly subUsers: SubUsers;
	/** The API as the first reseller calls it. */
	readonly api: ResellerApi;
	/** The first reseller's username. */
	readonly reseller: string;
	/** The first reseller's balance before the run, in cents. */
	readonly openingBalanceCents: number;
	/** A sub-user of the reseller, with balance 0. For rules that need `sub-user`. */
	subUser(): string;
	/** For rules that need `second-reseller`. */
	second(): SecondReseller;
	/** Makes what the rule needs, if it does not exist yet. Throws `NotTestable` if that is not possible. */
	prepare(needs: readonly Need[]): Promise<void>;
}

interface SecondReseller {
	readonly api: ResellerApi;
	readonly username: string;
	/** A sub-user of that reseller, with balance 0. */
	readonly subUser: string;
}

export interface SessionParts extends Pick<Session, 'baseUrl' | 'heldTo' | 'wire' | 'watch' | 'spending' | 'subUsers'> {
	readonly account: Account;
	readonly second: Account | undefined;
	readonly isDirect: boolean;
	readonly isPatient: boolean;
}

export function createSession(parts: SessionParts): Session {
	const { account, second, subUsers } = parts;
	const subUser = once(subUsers, account.api);
	const foreignSubUser = second && once(subUsers, second.api);

	return {
		baseUrl: parts.baseUrl,
		heldTo: parts.heldTo,
		wire: parts.wire,
		watch: parts.watch,
		spending: parts.spending,
		subUsers,
		api: account.api,
		reseller: account.reseller,
		openingBalanceCents: account.beforeCents,
		subUser: () => subUser.username() ?? neverNeeded('sub-user'),
		second() {
			const made = foreignSubUser?.username();
			if (!second || made === undefined) return neverNeeded('second-reseller');
			return { api: second.api, username: second.reseller, subUser: made };
		},
		async prepare(needs) {
			if (needs.includes('direct') && !parts.isDirect) {
				throw new NotTestable('a proxy in front may answer this itself (--behind-proxy)');
			}
			if (needs.includes('slow') && !parts.isPatient) throw new NotTestable('takes a minute (see --slow)');
			if (needs.includes('sub-user')) await subUser.make();
			if (!needs.includes('second-reseller')) return;
			if (!foreignSubUser) throw new NotTestable('needs the token of another reseller (see --second-token-file)');
			await foreignSubUser.make();
		},
	};
}

/** A sub-user that is made when it is first needed. A failure is not tried again, because each try costs a fee. */
function once(subUsers: SubUsers, api: ResellerApi) {
	let made: Promise<string> | undefined;
	let username: string | undefined;
	return {
		username: () => username,
		async make() {
			made ??= subUsers.make(api);
			try {
				username = await made;
			} catch (error) {
				if (error instanceof Interrupted) throw error;
				throw new NotTestable(`the sub-user for it could not be made: ${(error as Error).message}`);
			}
		},
	};
}

function neverNeeded(need: string): never {
	throw new Error(`the rule does not say that it needs ${need}`);
}

/**
 * Leaves the reseller with that many cents during the work, and gives the rest to its sub-user. Takes the rest back
 * afterwards, even if the work fails. For rules that need `whole-balance` and `sub-user`.
 */
export async function whileHolding(session: Session, cents: number, work: () => Promise<void>): Promise<void> {
	const surplusCents = (await session.api.balance()) - cents;
	if (surplusCents < 0) throw new NotTestable(`the reseller has less than ${cents} cents`);
	try {
		if (surplusCents > 0) expectAccepted(await session.api.give(session.subUser(), surplusCents));
		await session.spending.whileHolding(cents, work);
	} finally {
		await session.subUsers.takeBack();
	}
}
