import { randomUUID } from 'node:crypto';
import { endpoints, MAX_BODY_BYTES, MAX_CENTS, REQUEST_ID_HEADER } from '@bursar/contract';
import { RuleFailure } from '../check-errors.ts';
import type { Rule } from '../rule.ts';
import type { Session } from '../session.ts';
import { answerRules } from './answer-rules.ts';

/** Rules for every answer of a run, including the answers to all other rules. */
export const everyAnswerRules: readonly Rule[] = answerRules.map(({ name, guarantee, source }) => ({
	name: `every-answer.${name}`,
	guarantee,
	source,
	async check(session) {
		const asking = asked.get(session) ?? askForEachKind(session);
		asked.set(session, asking);
		await asking.catch(() => {});
		const found = session.watch.firstViolation(name);
		// If no answer breaks the rule but some answers are missing, the rule must not pass.
		if (!found) return asking;
		const others = found.count > 1 ? `, and ${found.count - 1} more answers` : '';
		throw new RuleFailure(`${found.asked}${others}`, found.expected, found.actual);
	},
}));

const asked = new WeakMap<Session, Promise<void>>();

/** Asks once in a run for each kind of answer that costs nothing, because only few rules may have been chosen. */
async function askForEachKind(session: Session): Promise<void> {
	const { api, wire, subUsers } = session;
	const unknown = { username: subUsers.freshName(), amount_usd_cents: MAX_CENTS };
	// Twice, because a service that repeats the id of the client then answers the same id twice.
	const ownId = { headers: { [REQUEST_ID_HEADER]: randomUUID() } };
	await api.call(endpoints.myInfo, ownId);
	await api.call(endpoints.myInfo, ownId);
	await api.viewAll();
	await wire.call(endpoints.myInfo.path);
	await wire.call(endpoints.myInfo.path, { token: `${api.token}x` });
	await wire.call('/reseller/nothing', { token: api.token });
	await wire.call('/nothing');
	await api.call(endpoints.myInfo, { method: 'DELETE' });
	await api.call(endpoints.viewSubUser, { body: unknown });
	await api.call(endpoints.viewSubUser, { body: unknown, headers: { 'content-type': 'text/plain' } });
	await api.call(endpoints.viewSubUser, { body: '{' });
	await api.call(endpoints.viewSubUser, { body: 'x'.repeat(MAX_BODY_BYTES + 1) });
	await api.call(endpoints.giveBalance, { body: { ...unknown, amount_usd_cents: 0 } });
}
