import type { Confirmation } from '../accounts.ts';
import { InvalidRequestError } from '../errors.ts';
import type { CallOptions, ChangeOptions } from '../options.ts';
import type { BeginCall, Call } from '../protocol/call.ts';
import { read } from '../protocol/read.ts';
import { sendChange } from '../protocol/send-change.ts';
import { readCreatedToken, readTokens } from '../read-tokens.ts';
import type { EndedToken, NewToken, TokenCreation, TokenDetails } from '../tokens.ts';
import { nameOf, of, readNamed } from './named.ts';
import { sentFields } from './sent-fields.ts';

/**
 * Your further tokens, for programs that shall do less: `bursar.tokens`. Only the one token of the reseller can make, list and
 * end them: to a further one, each method rejects with `NotPermittedError`.
 *
 * Besides the errors that its description names, each change can reject with `OutcomeUnknownError`.
 */
export class TokensResource {
	readonly #begin: BeginCall;

	constructor(begin: BeginCall) {
		this.#begin = begin;
	}

	/**
	 * Makes a token with a name, scopes and an end. Keep it: only the answer to this request tells it. If the answer is lost,
	 * `token` is `undefined`, and nobody has it: end it, and make another one.
	 *
	 * Throws `InvalidRequestError`, also if a token has this name (`token_exists`), and `TooManyTokensError`.
	 */
	async create(token: NewToken, options: ChangeOptions = {}): Promise<TokenCreation> {
		const { expiresAt, allowedIps, ...others } = sentFields('token', token, { known: NEW_FIELDS, of: 'a token' });
		const isDate = expiresAt instanceof Date && !Number.isNaN(expiresAt.getTime());
		if (!isDate) {
			throw new InvalidRequestError('expiresAt must be a valid Date: nothing was sent', { code: 'invalid_token' });
		}
		const body = {
			...{ ...others, expires_at: expiresAt.toISOString() },
			...(allowedIps !== undefined && { allowed_ips: allowedIps }),
		};
		return sendChange<Omit<TokenCreation, keyof Confirmation>>(this.#begin(options), {
			asked: { operation: 'create_token' },
			request: { operation: 'createToken', body, readData: readCreatedToken },
			async answerOf({ doneAt }, call) {
				const tokens = await listTokens(call, true);
				const details = tokens.find(({ name, dateCreated }) => {
					return name === body.name && dateCreated.getTime() === doneAt.getTime();
				});
				if (!details) throw new Error('the token was ended since');
				return { token: undefined, details };
			},
		});
	}

	/** All your further tokens, by name: 20 at most that are good, and those that have expired since the last one was made. */
	async list(options: CallOptions = {}): Promise<TokenDetails[]> {
		return listTokens(this.#begin(options));
	}

	/** Ends a token: it is refused from now on. Throws `UnknownTokenError`. */
	async end(id: string, options: ChangeOptions = {}): Promise<EndedToken> {
		const body = nameOf(id);
		return sendChange(this.#begin(options), {
			asked: { operation: 'end_token' },
			request: { operation: 'endToken', body, readData: of(id, readNamed) },
			async answerOf(_, call) {
				// The record of a change does not tell the token.
				if (call.isIdGiven && (await listTokens(call, true)).some((token) => token.id === id)) {
					throw new Error('the token is still there, so another change has this id');
				}
				return body;
			},
		});
	}
}

function listTokens(call: Call, isPatient = false): Promise<TokenDetails[]> {
	return read(call, { operation: 'viewAllTokens', body: {}, readData: readTokens }, isPatient);
}

const NEW_FIELDS: Readonly<Record<keyof NewToken, true>> = {
	name: true,
	scopes: true,
	expiresAt: true,
	allowedIps: true,
};
