import { PAIR_STATES, type PairState, type SubUserStates } from '@bursar/contract/dashboard';

/** The states in which sub-users cannot work now. */
export function refusedStates(states: SubUserStates): readonly PairState[] {
	return PAIR_STATES.filter((state) => state !== 'active' && states[state] > 0);
}

/** How many cannot work now. */
export function refusedIn(states: SubUserStates): number {
	return refusedStates(states).reduce((sum, state) => sum + states[state], 0);
}
