import { type Endpoint, type ErrorCode, endpoints } from '@bursar/contract';
import { expectAccepted, expectEqual, expectFailure, fieldOf } from '../expect.ts';
import type { Rule } from '../run/rule.ts';
import type { Session } from '../run/session.ts';

const AMOUNTS = 'docs/api.md 6.2 Amounts and balances';
/** The sub-user holds this during the refusals, so that a wrong service has money to move. */
const HELD_CENTS = 100;
const NO_JSON = ['', 'NaN', 'Infinity', '-Infinity', '0x5', '05', '+5', '.5', '5.', '1e', '1_000', '5n', 'undefined'];

/** The forms of an amount. The bodies are text, because a serializer would change some of the forms. */
export const amountRules: readonly Rule[] = [
	{
		name: 'amounts.by-value',
		basis: 'bursar',
		guarantee: 'An amount counts by its value: 1.0 is 1 cent, and 1e2 is 100 cents.',
		source: AMOUNTS,
		needs: ['sub-user'],
		balanceCents: 100,
		async check(session) {
			const written = {
				'1': 1,
				'1.0': 1,
				'1e2': 100,
				'1E+1': 10,
				'100e-2': 1,
				'1.50e1': 15,
				'3.00000000000000000000': 3,
			};
			for (const [text, cents] of Object.entries(written)) {
				for (const [endpoint, balanceCents] of [
					[endpoints.giveBalance, cents],
					[endpoints.takeBalance, 0],
				] as const) {
					const answer = await move(session, endpoint, text);
					const data = expectAccepted(answer, `${answer.asked} of ${text}`);
					expectEqual(`the balance after ${answer.asked} of ${text}`, fieldOf(data, 'balance'), balanceCents);
				}
			}
		},
	},
	{
		name: 'amounts.below-one',
		basis: 'contract',
		guarantee: 'An amount of 0 or less is refused, and nothing moves.',
		source: AMOUNTS,
		needs: ['sub-user'],
		balanceCents: HELD_CENTS,
		check: (session) => expectRefusals(session, ['0', '-0', '0.0', '-1', '-100'], 'invalid_amount'),
	},
	{
		name: 'amounts.fractions',
		basis: 'contract',
		guarantee: 'An amount with a fraction is refused, not rounded or truncated, and nothing moves.',
		source: AMOUNTS,
		needs: ['sub-user'],
		balanceCents: HELD_CENTS,
		check: (session) => expectRefusals(session, ['0.1', '1.5', '0.9999999', '1e-1'], 'invalid_amount'),
	},
	{
		name: 'amounts.unsafe-integers',
		basis: 'contract',
		guarantee: 'An amount above 2^53-1, such as 2^53 or 1e400, is refused, and nothing moves.',
		source: AMOUNTS,
		needs: ['sub-user'],
		balanceCents: HELD_CENTS,
		check: (session) =>
			expectRefusals(
				session,
				['9007199254740992', '9007199254740993', '1e16', '1e400', '-1e400', `1${'0'.repeat(500)}`],
				'invalid_amount',
			),
	},
	{
		name: 'amounts.other-types',
		basis: 'contract',
		guarantee: 'An amount that is missing or not a JSON number is refused, not converted, and nothing moves.',
		source: AMOUNTS,
		needs: ['sub-user'],
		balanceCents: HELD_CENTS,
		check: (session) =>
			// A server may answer either code for a wrong type (docs/api.md 6.2).
			expectRefusals(
				session,
				['true', 'false', 'null', '[]', '[5]', '{}', '{"value":5}', '""', '"abc"', undefined],
				['invalid_request', 'invalid_amount'],
			),
	},
	{
		name: 'amounts.strings',
		basis: 'bursar',
		guarantee: 'An amount in a string is refused, not converted, and nothing moves.',
		source: AMOUNTS,
		mode: 'strict',
		needs: ['sub-user'],
		balanceCents: HELD_CENTS,
		check: (session) => expectRefusals(session, ['"5"', '"1"', '" 5"'], ['invalid_request', 'invalid_amount']),
	},
	{
		name: 'amounts.strings-leniently',
		basis: 'bursar',
		guarantee: 'In lenient mode, an amount may be a string, if it has only decimal digits.',
		source: 'docs/api.md 2.4 Leniency',
		mode: 'lenient',
		needs: ['sub-user'],
		balanceCents: HELD_CENTS + 7,
		async check(session) {
			for (const [text, cents] of [
				['"5"', 5],
				['"007"', 7],
			] as const) {
				expectAccepted(await move(session, endpoints.giveBalance, text));
				expectEqual('the balance of the sub-user', await session.api.balanceOf(session.subUser()), cents);
				expectAccepted(await move(session, endpoints.takeBalance, text));
			}
			await expectRefusals(
				session,
				['" 5"', '"5 "', '"-5"', '"+5"', '"5.0"', '"1e2"', '"0x5"', '"1_0"', '"\u0665"', '["5"]', 'true', 'null'],
				['invalid_request', 'invalid_amount'],
			);
			await expectRefusals(session, ['"0"', '"00"', '"9007199254740992"'], 'invalid_amount', 0);
		},
	},
	{
		name: 'amounts.no-json',
		basis: 'bursar',
		guarantee: 'A body whose amount is not valid JSON is refused, and nothing moves.',
		source: 'docs/api.md 2.3 Bodies',
		needs: ['sub-user'],
		balanceCents: HELD_CENTS,
		check: (session) => expectRefusals(session, NO_JSON, 'invalid_request'),
	},
];

/** Sends the amount exactly as written; `undefined` leaves it out. */
function move({ api, subUser }: Session, endpoint: Endpoint, written: string | undefined) {
	const amount = written === undefined ? '' : `,"amount_usd_cents":${written}`;
	return api.call(endpoint, { body: `{"username":${JSON.stringify(subUser())}${amount}}` });
}

/** Both give and take must refuse each amount, and both balances must stay the same. */
async function expectRefusals(
	session: Session,
	written: readonly (string | undefined)[],
	codes: ErrorCode | readonly ErrorCode[],
	giveCents = HELD_CENTS,
): Promise<void> {
	const { api } = session;
	if (giveCents > 0) expectAccepted(await api.give(session.subUser(), giveCents));
	const before = await api.balance();
	for (const endpoint of [endpoints.giveBalance, endpoints.takeBalance]) {
		for (const text of written) {
			const what = text === undefined ? 'no amount' : `the amount ${text}`;
			expectFailure(await move(session, endpoint, text), 400, codes, what);
		}
	}
	expectEqual('the balance of the sub-user', await api.balanceOf(session.subUser()), HELD_CENTS);
	expectEqual("the reseller's balance", await api.balance(), before);
}
