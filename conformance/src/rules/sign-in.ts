import { randomBytes } from 'node:crypto';
import { allEndpoints } from '@bursar/contract';
import { expectAccepted, expectEqual, expectFailure, fieldOf, isAccepted, NotTestable } from '../expect.ts';
import type { Rule } from '../run/rule.ts';
import type { ResellerApi } from '../wire/reseller-api.ts';
import { whileChanged } from './life.ts';

const SIGN_IN = 'docs/api.md 11.11 Set sign-in addresses';
const { setSignInIps, viewDetails } = allEndpoints;

const WRONG_IPS = [
	...['127.0.0.1', '::1', '0.0.0.0', '224.0.0.1', 'fe80::1', '192.0.2.0/24', '2001:db8::/63', '0.0.0.0/0', 'nowhere'],
	...['192.0.2', '192.0.2.7 ', '010.0.0.1', '::ffff:127.0.0.1', ''],
];

/** From where a sub-user signs in without a password. Whether an operator allows it is not for a suite to say. */
export const signInRules: readonly Rule[] = [
	{
		name: 'life.sign-in-ips',
		basis: 'bursar',
		guarantee:
			'Addresses are set as a whole and answered in one form, and the details show them; or the answer is 403, and there are none.',
		source: SIGN_IN,
		needs: ['sub-user'],
		check: (session) =>
			whileChanged(session, async (ask) => {
				const username = session.subUser();
				const shown = async () => fieldOf(await ask(viewDetails), 'sign_in_ips');
				const network = freshNetwork();
				const answer = await set(session.api, username, [`${network.toUpperCase()}::7`, `${network}:1:0:0:7/64`]);
				if (answer.errorCode === 'sign_in_by_address_off') {
					expectFailure(answer, 403, 'sign_in_by_address_off');
					expectEqual('the addresses', await shown(), []);
				} else {
					const data = { username, sign_in_ips: [`${network}::/64`] };
					expectEqual('data of set_sign_in_ips', expectAccepted(answer), data);
					expectEqual('the addresses in the details', await shown(), data.sign_in_ips);
				}
				const before = await shown();
				for (const sign_in_ips of [...WRONG_IPS.map((ip) => [ip]), Array(17).fill(`${network}::7`)]) {
					const sent = `sent with ${JSON.stringify(sign_in_ips).slice(0, 40)}`;
					expectFailure(await set(session.api, username, sign_in_ips), 400, 'invalid_sign_in_ips', sent);
				}
				for (const wrong of [undefined, null, '192.0.2.7', [5], {}])
					expectFailure(await set(session.api, username, wrong), 400, 'invalid_request');
				expectEqual('the addresses', await shown(), before);
				expectEqual('data without addresses', await ask(setSignInIps, { sign_in_ips: [] }), {
					username,
					sign_in_ips: [],
				});
				expectEqual('the addresses', await shown(), []);
			}),
	},
	{
		name: 'life.address-taken',
		basis: 'bursar',
		guarantee: 'An address, or a /64 with it, of an account of another reseller answers 409, and nothing changes.',
		source: SIGN_IN,
		needs: ['sub-user', 'second-reseller'],
		check: (session) =>
			whileChanged(session, async (ask) => {
				const [username, second, network] = [session.subUser(), session.second(), freshNetwork()];
				const first = await set(second.api, second.subUser, [`${network}::7`]);
				const probe = await set(session.api, username, []);
				try {
					const isOff = [first, probe].some(({ errorCode }) => errorCode === 'sign_in_by_address_off');
					if (isOff) throw new NotTestable('the operator does not allow that sub-users sign in by address');
					expectAccepted(first);
					for (const ip of [`${network}::7`, `${network}::/64`]) {
						const answer = await set(session.api, username, [ip]);
						if (answer.errorCode === 'sign_in_by_address_off') throw new NotTestable('the operator does not allow it');
						expectFailure(answer, 409, 'address_taken', `sent with ${ip}`);
					}
					expectEqual('the addresses', fieldOf(await ask(viewDetails), 'sign_in_ips'), []);
				} finally {
					await set(second.api, second.subUser, []);
				}
				expectAccepted(await set(session.api, username, [`${network}::7`]));
			}),
	},
];

/** Throws `NotTestable` if the service does not offer it. */
async function set(api: ResellerApi, username: string, sign_in_ips: unknown) {
	const answer = await api.call(setSignInIps, { body: { username, sign_in_ips } });
	if (!isAccepted(answer) && [404, 405].includes(answer.status) && answer.errorCode !== 'unknown_sub_user') {
		throw new NotTestable(`the service does not offer it: ${answer.asked} was answered ${answer.status}`);
	}
	return answer;
}

/** A /64 for documentation that no other run has: no two accounts of a platform may have the same addresses. */
function freshNetwork(): string {
	const [a = 0, b = 0, c = 0, d = 0] = randomBytes(4);
	return `2001:db8:${((a | 1) * 256 + b).toString(16)}:${((c | 1) * 256 + d).toString(16)}`;
}
