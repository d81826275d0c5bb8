import { isNetworkKey, keyRange, networkKey, signInKey, signInKeysOf } from '@bursar/contract/sign-in-ips';
import type { SignInAddress } from '../../../domain/sign-in.ts';
import { gatherEach } from '../../gather.ts';
import type { Reader, ReadLimit } from '../../reading.ts';
import type { SharedStatement } from '../../statement.ts';
import { IS_SIGN_IN_ALLOWED } from './sign-in.ts';

/** What edges need of sign-in by address. Each read throws `StoreUnavailableError` if the store cannot be asked. Edges take turns. */
export interface SignInReads {
	/** The account that signs in from the address of a client; `undefined` if none does, or if its reseller may not. */
	findSignIn(asked: AskedClient): Promise<SignIn | undefined>;
	/** The keys of the addresses from which an account signs in; none if its reseller may not. */
	findSignInAddresses(asked: AskedAccount): Promise<readonly string[]>;
	/** Whether any reseller may sign in by address. */
	isSignInUsed(): Promise<boolean>;
	/** Who has an address, its /64, or if it is a /64, addresses in it: up to 100, in their order. For operators. */
	listSignIns(ip: string): Promise<readonly HeldSignIn[]>;
}

interface HeldSignIn extends SignInAddress {
	/** 1 if its reseller may sign in by address. */
	readonly isAllowed: 0 | 1;
}

interface SignIn {
	readonly username: string;
	/** The key of the address, or of the /64, from which it signs in. */
	readonly address: string;
}

interface AskedAccount {
	readonly edge: string;
	readonly username: string;
}

interface AskedClient {
	readonly edge: string;
	/** In any form. */
	readonly client: string;
}

/** @bound Reads of accounts that sign in by address that wait, in total and for one edge: further ones count as if the store were away. */
const WAITING = { maxWaiting: 65_536, maxOfOwner: 32_768, maxWaitMs: 500 };

const IS_ALLOWED = 'EXISTS (SELECT 1 FROM sign_in_resellers AS allowed WHERE allowed.reseller = own.reseller)';

/** The reads of sign-in by address, for any engine. `pairs.most` share a query. */
export function signInReads(reader: Reader, { pairs }: Readonly<Record<'pairs', ReadLimit>>): SignInReads {
	const options = { most: pairs.most, ownerOf: ({ edge }: { readonly edge: string }) => edge, ...WAITING };
	return {
		findSignIn: gatherEach(reader, FIND_SIGN_IN, ([found]: readonly SignIn[]) => found, options),
		findSignInAddresses: gatherEach(
			reader,
			FIND_ADDRESSES,
			(rows: readonly { readonly address: string }[]) => rows.map(({ address }) => address),
			options,
		),
		isSignInUsed: async () => (await reader.read(ANY_RESELLER)).length > 0,
		async listSignIns(ip) {
			const key = signInKey(ip);
			const { from, before } = isNetworkKey(key) ? keyRange(key) : { from: key, before: key };
			return (await reader.read({
				sql: LIST_SIGN_INS,
				values: [key, networkKey(key), from, before],
			})) as readonly HeldSignIn[];
		},
	};
}

const FIND_SIGN_IN = {
	sql: `SELECT username, address FROM sign_in_addresses AS own WHERE address IN ($1, $2) AND ${IS_ALLOWED}`,
	columns: {
		address: ['text', ({ client }: AskedClient) => signInKeysOf(client)[0] ?? ''],
		network: ['text', ({ client }: AskedClient) => signInKeysOf(client)[1] ?? ''],
	},
} as const;

const FIND_ADDRESSES = {
	sql: `SELECT own.address FROM usernames JOIN sign_in_addresses AS own
		ON own.reseller = usernames.reseller AND own.username = usernames.username
		WHERE usernames.username = $1 AND ${IS_ALLOWED}`,
	columns: { username: ['text', ({ username }: AskedAccount) => username] },
} as const;

const LIST_SIGN_INS = `SELECT address, reseller, username, ${IS_SIGN_IN_ALLOWED} AS "isAllowed"
	FROM sign_in_addresses AS account WHERE address IN ($1, $2) OR address >= $3 AND address < $4
	ORDER BY address LIMIT 100`;

const ANY_RESELLER: SharedStatement = { sql: 'SELECT 1 FROM sign_in_resellers LIMIT 1', values: [] };
