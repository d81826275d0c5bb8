import { CHANGE_ID_FORM, CHANGE_ID_HEADER, CHANGE_ID_HONOURED } from '../change-id.ts';
import { EXPIRY_FORM, EXPIRY_HONOURED, REQUEST_EXPIRES_HEADER } from '../expiry.ts';
import { requestIdHeader } from './api-document.ts';

// The headers of changes, which the API of resellers and that of the operator have in common.

/** The parameters of an operation, by reference. */
export function parametersOf(isChange: boolean) {
	return [
		{ $ref: '#/components/parameters/RequestExpires' },
		...(isChange ? [{ $ref: '#/components/parameters/ChangeId' }] : []),
	];
}

/** The headers of every answer, by reference. */
export const answerHeaders = {
	...requestIdHeader,
	[REQUEST_EXPIRES_HEADER]: { $ref: '#/components/headers/RequestExpires' },
	[CHANGE_ID_HEADER]: { $ref: '#/components/headers/ChangeId' },
} as const;

const EXPIRY_PARAMETER = {
	name: REQUEST_EXPIRES_HEADER,
	in: 'header',
	description:
		'The Unix second from which on the service may not begin this request, by its own clock, which `timestamp` shows. A change that comes later is `unavailable`, and costs nothing.',
	// No example: the reference page would send it, and it would be over.
	schema: { type: 'string', pattern: EXPIRY_FORM.source },
};

const EXPIRY_HEADER = {
	description: `The value of the request, or \`${EXPIRY_HONOURED}\` if the service saw no well-formed value.`,
	required: true,
	schema: { type: 'string', pattern: `${EXPIRY_FORM.source}|^${EXPIRY_HONOURED}$` },
	example: EXPIRY_HONOURED,
};

const CHANGE_ID_PARAMETER = {
	name: CHANGE_ID_HEADER,
	in: 'header',
	description:
		'An id for this change, which you make anew for each change. A second change with it is `change_repeated`, and costs nothing. Let it begin with the time.',
	// No example: the reference page would send it with every change.
	schema: { type: 'string', pattern: CHANGE_ID_FORM.source },
};

const CHANGE_ID_ANSWER = {
	description: `The value of the request, or \`${CHANGE_ID_HONOURED}\` if the service saw no well-formed value.`,
	required: true,
	schema: { type: 'string', pattern: `${CHANGE_ID_FORM.source}|^${CHANGE_ID_HONOURED}$` },
	example: CHANGE_ID_HONOURED,
};

/** The components to which the references lead. */
export const changeParameters = { RequestExpires: EXPIRY_PARAMETER, ChangeId: CHANGE_ID_PARAMETER };
export const changeHeaders = { RequestExpires: EXPIRY_HEADER, ChangeId: CHANGE_ID_ANSWER };
