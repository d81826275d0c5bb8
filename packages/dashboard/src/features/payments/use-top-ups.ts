import type { TopUp } from '@bursar/contract/payment-schemas';
import { serverNowMs } from '../../calls/server-clock.ts';
import { useRead, useTakeOver } from '../../calls/use-read.ts';
import { type ListPosition, positionQueryOf } from '../../lists/url-state.ts';
import { mayGetMoney } from './outcome.ts';

const EVERY_MS = 15_000;

/** The payments of the reseller. They move on by themselves. */
export function useTopUps(position: ListPosition) {
	return useRead('/top-ups', positionQueryOf(position), { keepsPrevious: true, everyMs: EVERY_MS });
}

/** One of them. While it may get money, it is read again and again, more and more seldom since a time of the server. */
export function useTopUp(id: string, sinceMs: number) {
	return useRead(
		'/top-ups/view',
		{ id },
		{
			staleMs: 0,
			everyMs: (payment) => (payment && !mayGetMoney(payment) ? false : lookEveryMs(serverNowMs() - sinceMs)),
		},
	);
}

const MINUTE_MS = 60_000;
/**
 * @bound A page that waits for a payment reads it every 2 s for a minute, every 10 s for ten, every minute for an hour: then only
 * on demand.
 */
const LOOKS: readonly { readonly untilMs: number; readonly everyMs: number }[] = [
	{ untilMs: MINUTE_MS, everyMs: 2_000 },
	{ untilMs: 10 * MINUTE_MS, everyMs: 10_000 },
	{ untilMs: 60 * MINUTE_MS, everyMs: MINUTE_MS },
];

/** How often a page that has waited so long for a payment reads it; `false`: not by itself any more. */
export function lookEveryMs(waitedMs: number): number | false {
	return LOOKS.find(({ untilMs }) => waitedMs < untilMs)?.everyMs ?? false;
}

/** For after a payment was begun. */
export function useRefreshTopUps() {
	const takeOver = useTakeOver();
	return (payment?: TopUp) =>
		takeOver(payment && { path: '/top-ups/view', query: { id: payment.id }, answer: payment }, ['/top-ups']);
}
