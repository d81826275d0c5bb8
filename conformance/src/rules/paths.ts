import { type Endpoint, endpoints } from '@bursar/contract';
import { expectEqual, expectFailure, expectThat, showAnswer } from '../expect.ts';
import type { Rule } from '../rule.ts';

const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD'] as const;
const ALL: readonly Endpoint[] = Object.values(endpoints);

/** Which paths there are, and which methods they answer to. */
export const pathRules: readonly Rule[] = [
	{
		name: 'paths.unknown',
		guarantee: 'A path that does not exist answers 404 to every method.',
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
		guarantee: 'A path answers other methods than its own with 405, and Allow names its own.',
		source: 'docs/api.md 2.2 Paths and methods',
		async check({ wire, api: { token } }) {
			for (const { method: own, path } of ALL) {
				for (const method of METHODS) {
					// HEAD goes with GET.
					if (method === own || (method === 'HEAD' && own === 'GET')) continue;
					const answer = await wire.call(path, { method, token });
					expectFailure(answer, 405, 'method_not_allowed');
					const allow = answer.headers.get('allow');
					const allowed = (allow ?? '').split(',').map((name) => name.trim());
					expectThat(allowed.includes(own), `Allow of ${answer.asked}`, `a list with ${own}`, allow);
				}
			}
		},
	},
	{
		name: 'paths.undecodable',
		guarantee: 'A path with a broken escape is refused like any other that does not exist or cannot be read.',
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
		guarantee: 'A query behind the path of an endpoint changes nothing.',
		source: 'docs/api.md 2.2 Paths and methods',
		async check({ wire, api: { token } }) {
			const answer = await wire.call(`${endpoints.myInfo.path}?username=nobody&balance=1`, { token });
			expectEqual(`the status of ${answer.asked}`, answer.status, 200);
		},
	},
];
