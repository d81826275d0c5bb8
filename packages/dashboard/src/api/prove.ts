import { createContext, useContext } from 'react';

/**
 * Asks the person for a proof (password and code, or passkey). Resolves with `true` once there is a fresh one, and with
 * `false` if the person gives none.
 */
export type Prove = () => Promise<boolean>;

/** Provided around all pages. */
export const ProveContext = createContext<Prove>(async () => false);

export function useProve(): Prove {
	return useContext(ProveContext);
}
