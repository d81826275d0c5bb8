import { CREATE_FEE_CENTS } from '@bursar/contract';
import type { Rule } from './rule.ts';
import type { Need } from './session.ts';

/** A rule and the highest cost of its test. */
export interface PlannedRule {
	readonly rule: Rule;
	/** In cents, including the sub-users that must be made for the rule first. */
	readonly mostCents: number;
	/** False if the rule would exceed the spending limit. */
	readonly isAffordable: boolean;
}

/** Each of these needs makes one sub-user, once in a run. */
const MADE_ONCE: readonly Need[] = ['sub-user', 'second-reseller'];

/**
 * Decides before the run which rules fit into the spending limit. After a rule that does not fit, a cheaper one may
 * still fit.
 */
export function planRules(rules: readonly Rule[], maxSpendCents: number): PlannedRule[] {
	const made = new Set<Need>();
	let plannedCents = 0;
	return rules.map((rule) => {
		const toMake = (rule.needs ?? []).filter((need) => MADE_ONCE.includes(need) && !made.has(need));
		const mostCents = (toMake.length + (rule.creates ?? 0)) * CREATE_FEE_CENTS;
		const isAffordable = plannedCents + mostCents <= maxSpendCents;
		if (isAffordable) {
			plannedCents += mostCents;
			for (const need of toMake) made.add(need);
		}
		return { rule, mostCents, isAffordable };
	});
}

/** The highest cost of a run, in cents. */
export function mostCentsOf(plan: readonly PlannedRule[]): number {
	return plan.reduce((sum, { mostCents, isAffordable }) => sum + (isAffordable ? mostCents : 0), 0);
}
