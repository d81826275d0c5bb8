import { allEndpoints, endpoints } from '@bursar/contract';
import type { ResellerAccount } from '@bursar/contract/terms-schemas';
import type { FastifyInstance } from 'fastify';
import type { Account } from '../../../domain/account.ts';
import { unusableReasonOf } from '../../../domain/pair-state.ts';
import { answerWith } from '../../server/answers.ts';
import { sendData, sendDataText, sendFailure } from '../../server/envelope.ts';
import { hasMalformedExpiry, MALFORMED_EXPIRY } from '../../server/expiry.ts';
import type { ResellerDependencies } from '../dependencies.ts';
import { readBody } from '../sub-user-request.ts';
import { subUserText } from '../views.ts';

/** The reseller's own account. */
export function accountRoutes(
	app: FastifyInstance,
	dependencies: Pick<ResellerDependencies, 'store' | 'nowMs' | 'lenient'>,
): void {
	const { store, nowMs } = dependencies;
	let written: { readonly account: Account; readonly text: string } | undefined;

	/** Requests of one turn of the event loop share the account that was read for them. Its text is made once. */
	function textOf(account: Account): string {
		if (written?.account !== account) written = { account, text: subUserText(account) };
		return written.text;
	}

	app.get(endpoints.myInfo.path, (request, reply) => {
		if (hasMalformedExpiry(request)) return void sendFailure(reply, 'invalid_request', nowMs(), MALFORMED_EXPIRY);
		answerWith(reply, store.findAccount(request.reseller, request.reseller), (account) => {
			if (!account) throw new Error('an authenticated reseller has no account');
			sendDataText(reply, textOf(account), nowMs());
		});
	});

	app.post(allEndpoints.viewAccount.path, (request, reply) => {
		const body = readBody(request, dependencies);
		if ('refused' in body) return void sendFailure(reply, body.refused, nowMs(), body.message);
		answerWith(reply, readAccount(request.reseller), (account) => sendData(reply, account, nowMs()));
	});

	async function readAccount(reseller: string): Promise<ResellerAccount> {
		const [account, debt, price, bounds] = await Promise.all([
			store.findAccount(reseller, reseller),
			store.findDebt(reseller),
			store.findPrice(reseller),
			store.readPairBounds({ reseller, usernames: [reseller], atMs: nowMs() }),
		]);
		const own = bounds.get(reseller);
		if (!account || !debt || !own) throw new Error('an authenticated reseller has no account');
		// It has neither an end nor limits.
		const reason = unusableReasonOf(own, nowMs()) as ResellerAccount['reason'];
		return {
			balance: account.balanceCents,
			debt: debt.cents,
			line: debt.lineCents,
			price: price?.microUsdPerGb ?? null,
			usable: reason === null,
			reason,
		};
	}
}
