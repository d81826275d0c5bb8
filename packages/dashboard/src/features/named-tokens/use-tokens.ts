import { useTakeOver } from '../../calls/use-read.ts';

/** For after a change: the pages read the tokens again. */
export function useRefreshTokens() {
	const takeOver = useTakeOver();
	return () => takeOver(undefined, ['/tokens', '/operator/tokens', '/activity', '/operator/acts']);
}
