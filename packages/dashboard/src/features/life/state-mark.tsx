import type { SubUserState } from '@bursar/contract/dashboard';
import classes from './life.module.css';
import { lifeTexts } from './texts.ts';

/** Says in which state a sub-user is. */
export function StateMark({ state }: { readonly state: SubUserState }) {
	return (
		<span className={classes.state} data-state={state}>
			{lifeTexts.states[state]}
		</span>
	);
}
