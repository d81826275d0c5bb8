import {
	type Bursar,
	type ChangeOptions,
	CREATE_FEE_CENTS,
	type SubUserLimits,
	UnknownSubUserError,
	UsernameTakenError,
} from '@bursar/client';
import type { LineTerms } from '@bursar/contract/bulk';
import { usd } from '@bursar/terminal';
import { creationWithFields } from '../output/sub-user-terms.ts';
import { counted } from '../output/units.ts';
import { type Change, NO_FEE } from './changes.ts';

const NOTHING: LineTerms = { amountCents: 0, limits: {}, note: '' };

/** Creates a sub-user with all that its line says, or not at all. */
export const createWithChange: Change = {
	operation: 'create_with',
	printsKeys: true,
	paysFee: true,
	hasAmounts: false,
	hasTerms: true,
	activity: 'creating sub-users',
	detailTitle: 'PROXY AUTH KEY',
	async send(client, { username, terms = NOTHING }, { totalTimeoutMs, ...options }) {
		const startedMs = performance.now();
		const within = (ms: number | undefined) => (ms === undefined ? {} : { totalTimeoutMs: Math.max(1, ms) });
		await refuseOwn(client, username, { ...options, ...within(totalTimeoutMs) });
		// Both together may not take longer than the journal has noted.
		const left = totalTimeoutMs === undefined ? undefined : totalTimeoutMs - (performance.now() - startedMs);
		const { amountCents, note, reference } = terms;
		const creation = await client.subUsers.createWith(
			username,
			{ ...(amountCents > 0 && { amountCents }), limits: limitsOf(terms), ...(note !== '' && { note }) },
			{ ...options, ...within(left), ...(amountCents > 0 && reference !== undefined && { reference }) },
		);
		const { fee, subUser } = creation;
		return { fields: creationWithFields(creation), word: 'created', detail: subUser.proxyAuthkey, fee };
	},
	maxSpendCents: (lines) => lines.reduce((sum, { terms }) => sum + CREATE_FEE_CENTS + (terms?.amountCents ?? 0), 0),
	describe(lines) {
		return `create ${counted(lines.length, 'sub-user')} for up to ${usd(this.maxSpendCents(lines))} USD, fees and balances together`;
	},
};

/**
 * A username of the reseller's own would cost the fee for nothing. The client does not look if it is given the id of a change,
 * because an earlier call with that id may have created the sub-user.
 */
async function refuseOwn(client: Bursar, username: string, { changeId, ...options }: ChangeOptions): Promise<void> {
	try {
		await client.subUsers.retrieve(username, options);
	} catch (error) {
		if (error instanceof UnknownSubUserError) return;
		throw error;
	}
	if (changeId !== undefined && (await client.changes.retrieve(changeId, options))) return;
	const message = `you own ${username} already: nothing was sent, and nothing paid`;
	throw new UsernameTakenError(message, { code: 'username_taken', fee: NO_FEE });
}

/** As the client names them. */
function limitsOf({ limits }: LineTerms): Partial<SubUserLimits> {
	const { day_bytes, month_bytes, total_bytes, connections, bytes_per_second, allowed_ips, expires_at } = limits;
	const named = {
		dayBytes: day_bytes,
		monthBytes: month_bytes,
		totalBytes: total_bytes,
		connections,
		bytesPerSecond: bytes_per_second,
		allowedIps: allowed_ips,
		expiresAt: typeof expires_at === 'string' ? new Date(expires_at) : undefined,
	};
	return Object.fromEntries(Object.entries(named).filter(([, limit]) => limit !== undefined));
}
