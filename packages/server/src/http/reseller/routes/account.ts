import { endpoints } from '@bursar/contract';
import type { FastifyInstance } from 'fastify';
import type { Account } from '../../../domain/account.ts';
import { answerWith } from '../../server/answers.ts';
import { sendDataText, sendFailure } from '../../server/envelope.ts';
import type { ResellerDependencies } from '../dependencies.ts';
import { hasMalformedExpiry, MALFORMED_EXPIRY } from '../expiry.ts';
import { subUserText } from '../views.ts';

/** The reseller's own account. */
export function accountRoutes(
	app: FastifyInstance,
	{ store, nowMs }: Pick<ResellerDependencies, 'store' | 'nowMs'>,
): void {
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
}
