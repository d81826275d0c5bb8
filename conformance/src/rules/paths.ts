import { type Endpoint, endpoints } from '@bursar/contract';
import { expectEqual, expectFailure, expectThat, showAnswer } from '../expect.ts';
import type { Rule } from '../rule.ts';

const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD'] as const;
const ALL: readonly Endpoint[] = Object.values(endpoints);

/** Paths and their methods. */
export const pathRules: readonly Rule[] = [
	{
		name: 'paths.unknown',
		guarantee: 'An unknown path answers 404 to every method.',
		source: 'docs/api.md 2.2 Paths and methods',
		async check({ wire, api: { token } }) {
			for (const path of ['/reseller/nothing', '/reseller/sub_users', '/reseller/my_info/', '/Reseller/my_info']) {
				for (const method of METHODS) {
					expectFailure(await wire.call(path, { method, token }), 404, 'not_found');
				}
			}
		},
	},
	{
		name: 'paths.wrong-method',
		guarantee: 'A wrong method answers 405, and Allow names exactly the right ones: GET and HEAD, or POST.',
		source: 'docs/api.md 2.2 Paths and methods',
		async check({ wire, api: { token } }) {
			for (const { method: own, path } of ALL) {
				for (const method of METHODS) {
					// A path with GET also has HEAD.
					if (method === own || (method === 'HEAD' && own === 'GET')) continue;
					const answer = await wire.call(path, { method, token });
					expectFailure(answer, 405, 'method_not_allowed');
					const allow = answer.headers.get('allow');
					const allowed = (allow ?? '').split(',').map((name) => name.trim());
					expectEqual(`Allow of ${answer.asked}`, allowed.sort(), own === 'GET' ? ['GET', 'HEAD'] : [own]);
				}
			}
		},
	},
	{
		name: 'paths.undecodable',
		guarantee: 'A path with a broken percent-escape answers 400 or 404 in the envelope.',
		source: 'docs/api.md 2.2 Paths and methods',
		async check({ wire, api: { token } }) {
			for (const path of ['/reseller/my_info%zz', '/reseller/%ff']) {
				const answer = await wire.call(path, { token });
				const isRefused =
					[400, 404].includes(answer.status) && answer.errorCode !== null && answer.envelope !== undefined;
				expectThat(isRefused, answer.asked, '400 or 404 in the envelope, with its code', showAnswer(answer));
			}
		},
	},
	{
		name: 'paths.query-is-ignored',
		guarantee: 'A query after the path is ignored.',
		source: 'docs/api.md 2.2 Paths and methods',
		async check({ wire, api: { token } }) {
			const answer = await wire.call(`${endpoints.myInfo.path}?username=nobody&balance=1`, { token });
			expectEqual(`the status of ${answer.asked}`, answer.status, 200);
		},
	},
];
