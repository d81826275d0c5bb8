import type { PairState } from '@bursar/contract/dashboard';
import classes from './life.module.css';
import { lifeTexts } from './texts.ts';

/** Says in which state the pair of an account is. */
export function StateMark({ state }: { readonly state: PairState }) {
	return (
		<span className={classes.state} data-state={state}>
			{lifeTexts.states[state]}
		</span>
	);
}
