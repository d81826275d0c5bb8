import type { PairState } from '@bursar/contract/dashboard';
import classes from './terms.module.css';
import { termsTexts } from './texts.ts';

/** Says in which state the pair of an account is. */
export function StateMark({ state }: { readonly state: PairState }) {
	return (
		<span className={classes.state} data-state={state}>
			{termsTexts.states[state]}
		</span>
	);
}
