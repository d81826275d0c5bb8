import { CREATE_FEE_CENTS } from '@bursar/contract';
import type { Rule } from './rule.ts';
import type { Need } from './session.ts';

/** A rule, and the most that testing it costs. */
export interface PlannedRule {
	readonly rule: Rule;
	/** In cents, the sub-users included that have to be made for it first. */
	readonly mostCents: number;
	/** False where this would lead past the bound. */
	readonly isAffordable: boolean;
}

/** Needs for which a sub-user is made, once in a run. */
const MADE_ONCE: readonly Need[] = ['sub-user', 'second-reseller'];

/**
 * Decides before the run what may be tested for the money. A rule that would lead past the bound is
 * left out, and a cheaper one behind it may still fit.
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

/** The most that a run costs, in cents. */
export function mostCentsOf(plan: readonly PlannedRule[]): number {
	return plan.reduce((sum, { mostCents, isAffordable }) => sum + (isAffordable ? mostCents : 0), 0);
}
