import type { Reply } from '../calls/call.ts';
import type { DashboardDependencies, SignInMethod } from '../dependencies.ts';

/** Counts the result of a try to sign in, and returns its answer. */
export function counted<Data>(
	{ signInDone }: Pick<DashboardDependencies, 'signInDone'>,
	method: SignInMethod,
	answer: Reply<Data>,
): Reply<Data> {
	signInDone(method, 'refused' in answer ? answer.refused : 'success');
	return answer;
}
