import {
	type DataOf,
	type FailureOf,
	OPERATOR_API,
	type OperatorErrorCode,
	type OperatorOperationName,
	operatorOperations,
	type RequestOf,
} from '@bursar/contract/operator';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { TObject } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import { jsonBodyOf } from '../server/bodies/body.ts';
import { hasMalformedChangeId, MALFORMED_CHANGE_ID } from '../server/change-id.ts';
import { sendData } from '../server/envelope.ts';
import { EXPIRED, hasMalformedExpiry, isExpired, MALFORMED_EXPIRY } from '../server/expiry.ts';
import { sendFailure } from './answers.ts';
import { type Call, callOf } from './call.ts';
import { readChange } from './change-view.ts';
import type { OperatorDependencies } from './dependencies.ts';

type Operations = typeof operatorOperations;

/** Why a call is refused. */
export interface Refused<Code extends OperatorErrorCode = OperatorErrorCode> {
	readonly refused: Code;
	/** Says more than the code. */
	readonly message?: string | undefined;
	/** Set if the caller keeps the service busy. The store is well. */
	readonly isCallerBusy?: true | undefined;
}

/** What a call is answered with: its data, or a failure that the contract declares for it. */
export type Reply<Name extends OperatorOperationName> =
	| { readonly data: DataOf<Operations[Name]> }
	| Refused<FailureOf<Operations[Name]>>;

/** Declares how the calls of the contract are answered. */
export interface Calls {
	answer<Name extends OperatorOperationName>(
		name: Name,
		answer: (body: RequestOf<Operations[Name]>, call: Call) => Promise<Reply<Name>>,
	): void;
}

export function createCalls(
	app: FastifyInstance,
	{
		answersNowMs: nowMs,
		store,
		...dependencies
	}: Pick<OperatorDependencies, 'store' | 'bank' | 'topUps' | 'addressOf' | 'answersNowMs'>,
): Calls {
	return {
		answer(name, answer) {
			const { path, request: schema, isChange } = operatorOperations[name];
			const check = Compile(schema as TObject);
			app.post(OPERATOR_API + path, async (request, reply) => {
				const wanted = bodyOf(request, check, isChange, nowMs());
				const answered =
					'refused' in wanted ? wanted : await answer(wanted.value as never, callOf(request, dependencies));
				if ('data' in answered) return sendData(reply, answered.data, nowMs());
				const { refused, message, isCallerBusy } = answered;
				if (isCallerBusy) request.unavailableBecause = 'asker';
				// Repeats are rare, so what the change did is read only now.
				const change = refused === 'change_repeated' && (await readChange(store, request.changeId as string));
				return sendFailure(reply, refused, nowMs(), { message, data: change ? { change } : null });
			});
		},
	};
}

/** Refuses in the order of docs/api.md 4.2. */
function bodyOf(
	request: FastifyRequest,
	check: Validator,
	isChange: boolean,
	nowMs: number,
): { readonly value: unknown } | Refused {
	const body = jsonBodyOf(request, { lenient: false });
	if ('refused' in body) return body;
	if (hasMalformedExpiry(request)) return { refused: 'invalid_request', message: MALFORMED_EXPIRY };
	if (isChange && hasMalformedChangeId(request)) return { refused: 'invalid_request', message: MALFORMED_CHANGE_ID };
	if (!check.Check(body.value)) return wrongField(body.value, check);
	// Commands about people have no expiry of their own: they begin within the limit of a change.
	if (isChange && isExpired(request, nowMs)) return { refused: 'unavailable', message: EXPIRED, isCallerBusy: true };
	return body;
}

/** The codes of fields that have the right type, but no value that is possible. */
const CODES_OF_NUMBERS: Readonly<Record<string, OperatorErrorCode>> = {
	amount_usd_cents: 'invalid_amount',
	price: 'invalid_price',
	debt_line: 'invalid_debt_line',
	up: 'invalid_bytes',
	down: 'invalid_bytes',
};

/** Names the first field that has not its form. */
function wrongField(value: Record<string, unknown>, check: Validator): Refused {
	const [error] = check.Errors(value);
	const { requiredProperties } = (error?.params ?? {}) as { readonly requiredProperties?: readonly string[] };
	const missing = requiredProperties?.[0];
	const field = missing ?? error?.instancePath.split('/')[1] ?? '';
	const code = CODES_OF_NUMBERS[field];
	if (code && typeof value[field] === 'number') return { refused: code };
	const fault = missing === undefined ? (error?.message ?? 'has not its form') : 'is missing';
	return { refused: 'invalid_request', message: `the field ${field} of the request body ${fault}` };
}
