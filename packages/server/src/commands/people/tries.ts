import type { FailedTry } from '../../domain/people/act.ts';
import type { PersonEffect } from '../../domain/people/person-effect.ts';
import { decideTry, type TryLimit, withoutTry } from '../../domain/people/tries.ts';
import { DONE, type Done, type PersonVerb } from '../person-verb.ts';

export interface CountTry {
	readonly kind: 'count_try';
	readonly tries: readonly { readonly key: string; readonly limit: TryLimit }[];
}

export interface ReturnTry {
	readonly kind: 'return_try';
	readonly key: string;
	readonly limit: TryLimit;
}

export interface RecordFailure {
	readonly kind: 'record_failure';
	readonly failed: FailedTry;
	readonly limit: TryLimit;
	/** The count of what is recorded. */
	readonly key: string;
}

/** Counts a try for each key, before its password is looked at. If one of them is refused, none is counted. */
export const countTry: PersonVerb<CountTry, Done, 'too_many_tries'> = {
	kind: 'count_try',
	calls: [],
	owner: ({ tries }) => tries[0]?.key ?? '',
	needs: ({ tries }) => ({ tries: [...new Set(tries.map(({ key }) => key))] }),
	decide({ tries }, command, nowMs) {
		const counts = new Map(tries.map((known) => [known.key, known]));
		const refusedWaitsMs: number[] = [];
		for (const { key, limit } of command.tries) {
			const decision = decideTry(counts.get(key), limit, nowMs);
			if (decision.allowed) counts.set(key, { key, forgivenAtMs: decision.forgivenAtMs });
			else refusedWaitsMs.push(decision.waitMs);
		}
		if (refusedWaitsMs.length > 0) {
			return { outcome: { ok: false, error: 'too_many_tries', waitMs: Math.max(...refusedWaitsMs) }, effects: [] };
		}
		const counted: PersonEffect[] = Array.from(counts.values(), (each) => ({ kind: 'set_tries', tries: each }));
		return { outcome: DONE, effects: [...counted, { kind: 'forget_tries', atMs: nowMs }] };
	},
};

/**
 * Gives back a try that was counted and then could not be made. If the process dies in between, it has counted: the other
 * way round, tries could be had for nothing. What was forgiven meanwhile is not there any more.
 */
export const returnTry: PersonVerb<ReturnTry, Done, never> = {
	kind: 'return_try',
	calls: [],
	owner: ({ key }) => key,
	needs: ({ key }) => ({ tries: [key] }),
	decide: ({ tries: [counted] }, { limit }) => ({
		outcome: DONE,
		effects: counted ? [{ kind: 'set_tries', tries: withoutTry(counted, limit) }] : [],
	}),
};

/** Records a try that failed as an act of the person, unless the limit is reached: others decide how often they try. */
export const recordFailure: PersonVerb<RecordFailure, Done, never> = {
	kind: 'record_failure',
	calls: [],
	// Strangers must not use up the turns of the person.
	owner: ({ failed }) => `failures:${failed.person}`,
	needs: ({ failed, key }) => ({ person: { by: 'id', value: failed.person }, tries: [key] }),
	decide({ record, tries }, { failed, key, limit }, nowMs) {
		const decision = decideTry(tries[0], limit, nowMs);
		// A person who has not accepted the invitation yet has no factor that could be tried.
		const hasFactor = record && (record.person.passwordHash !== null || record.passkeys.length > 0);
		if (!hasFactor || !decision.allowed) return { outcome: DONE, effects: [] };
		return {
			outcome: DONE,
			effects: [
				{ kind: 'set_tries', tries: { key, forgivenAtMs: decision.forgivenAtMs } },
				{ kind: 'record_act', act: { ...failed, reseller: record.person.reseller, atMs: nowMs } },
			],
		};
	},
};
