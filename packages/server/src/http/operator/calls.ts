import {
	type DataOf,
	OPERATOR_API,
	type OperatorErrorCode,
	type OperatorOperationName,
	operatorOperations,
	type RequestOf,
} from '@bursar/contract/operator';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { TObject } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import { recordedName } from '../../domain/operators/operator-token.ts';
import type { OperatorProgramAct } from '../../domain/people/act.ts';
import { jsonBodyOf } from '../server/bodies/body.ts';
import { hasMalformedChangeId, MALFORMED_CHANGE_ID } from '../server/change-id.ts';
import type { ClientAddresses } from '../server/client-address.ts';
import { sendData } from '../server/envelope.ts';
import { EXPIRED, hasMalformedExpiry, isExpired, MALFORMED_EXPIRY } from '../server/expiry.ts';
import { sendFailure } from './answers.ts';
import { tokenOf } from './require-token.ts';

type Operations = typeof operatorOperations;

/** Why a call is refused. */
export interface Refused {
	readonly refused: OperatorErrorCode;
	/** Says more than the code. */
	readonly message?: string | undefined;
	/** Set if the caller keeps the service busy. The store is well. */
	readonly isCallerBusy?: true | undefined;
}

/** What a call is answered with. */
export type Reply<Data> = { readonly data: Data } | Refused;

/** What a command says of the call that gives it. */
export interface Call {
	readonly requestId: string;
	readonly expiresAtMs: number | undefined;
	/** What is recorded of it. Its id is that of the change, so that a repeat is refused. */
	act(kind: string, target: string): OperatorProgramAct;
}

/** Declares how the calls of the contract are answered. */
export interface Calls {
	answer<Name extends OperatorOperationName>(
		name: Name,
		answer: (body: RequestOf<Operations[Name]>, call: Call) => Promise<Reply<DataOf<Operations[Name]>>>,
	): void;
}

interface CallDependencies {
	readonly addressOf: ClientAddresses;
	/** Unix milliseconds, of the clock that the answers show. */
	readonly nowMs: () => number;
}

export function createCalls(app: FastifyInstance, { addressOf, nowMs }: CallDependencies): Calls {
	function callOf(request: FastifyRequest): Call {
		const { id: requestId, expiresAtMs, changeId } = request;
		const operatorToken = recordedName(tokenOf(request));
		const address = addressOf(request.raw).text;
		return {
			requestId,
			expiresAtMs,
			act: (kind, target) => ({ id: actId(changeId ?? requestId), kind, target, requestId, operatorToken, address }),
		};
	}

	return {
		answer(name, answer) {
			const { path, request: schema, isChange } = operatorOperations[name];
			const check = Compile(schema as TObject);
			app.post(OPERATOR_API + path, async (request, reply) => {
				const wanted = bodyOf(request, check, isChange, nowMs());
				const reply_ = 'refused' in wanted ? wanted : await answer(wanted.value as never, callOf(request));
				if ('data' in reply_) return sendData(reply, reply_.data, nowMs());
				const { refused, message, isCallerBusy } = reply_;
				if (isCallerBusy) request.unavailableBecause = 'asker';
				return sendFailure(reply, refused, nowMs(), message);
			});
		},
	};
}

/** The id of the act of a change. Change ids of the operator are no ids that a page could make. */
export function actId(changeId: string): string {
	return `operator:${changeId}`;
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
	if (isExpired(request, nowMs)) return { refused: 'unavailable', message: EXPIRED, isCallerBusy: true };
	return body;
}

/** Names the first field that has not its form. */
function wrongField(value: Record<string, unknown>, check: Validator): Refused {
	const [error] = check.Errors(value);
	const { requiredProperties } = (error?.params ?? {}) as { readonly requiredProperties?: readonly string[] };
	const missing = requiredProperties?.[0];
	const field = missing ?? error?.instancePath.split('/')[1] ?? '';
	if (field === 'amount_usd_cents' && typeof value[field] === 'number') return { refused: 'invalid_amount' };
	const fault = missing === undefined ? (error?.message ?? 'has not its form') : 'is missing';
	return { refused: 'invalid_request', message: `the field ${field} of the request body ${fault}` };
}
