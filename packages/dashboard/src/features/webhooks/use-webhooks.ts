import { useRead, useTakeOver } from '../../calls/use-read.ts';

/** A test is sent within a second or two. */
const SOON_MS = 1_000;
const EVERY_MS = 5_000;

/** The webhooks of the reseller. They move on by themselves. */
export function useWebhooks() {
	return useRead(
		'/webhooks',
		{},
		{
			staleMs: 0,
			everyMs: (list) => (list?.webhooks.some(({ test_asked }) => test_asked !== null) ? SOON_MS : EVERY_MS),
		},
	);
}

/** The last tries of a webhook. */
export function useWebhookTries(id: string, isTested: boolean) {
	return useRead('/webhooks/tries', { id }, { staleMs: 0, everyMs: isTested ? SOON_MS : EVERY_MS });
}

/** For after a change: the pages read the webhooks again. */
export function useRefreshWebhooks() {
	const takeOver = useTakeOver();
	return () => takeOver(undefined, ['/webhooks', '/webhooks/tries', '/activity']);
}
