import { useChange } from './use-change.ts';

/** Ends this session. The page is loaded again, so that nothing of the person stays in memory. */
export function useSignOut() {
	const { run, isBusy, failure } = useChange('/sign-out');
	return {
		isBusy,
		failure,
		async run() {
			if (await run({})) window.location.assign(`${import.meta.env.BASE_URL}sign-in`);
		},
	};
}
