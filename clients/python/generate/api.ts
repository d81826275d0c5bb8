import { CHANGE_ID_FORM, CHANGE_ID_HEADER, CHANGE_KEPT_MS } from '../../../packages/contract/src/change-id.ts';
import {
	ERROR_CODE_HEADER,
	EVENTS_NEWEST_HEADER,
	EVENTS_OLDEST_HEADER,
	errors,
	FREE_OF_CREATE_FEE,
	REQUEST_ID_HEADER,
	STATEMENT_NEWEST_HEADER,
} from '../../../packages/contract/src/errors.ts';
import { EXPIRY_HONOURED, REQUEST_EXPIRES_HEADER } from '../../../packages/contract/src/expiry.ts';
import {
	CREATE_FEE_CENTS,
	EFFECT_LIMIT_MS,
	MAX_ALLOWED_IPS,
	MAX_BYTES,
	MAX_BYTES_PER_SECOND,
	MAX_CENTS,
	MAX_CONNECTIONS,
	MAX_EVENT_WAIT_SECONDS,
	MAX_PAGE_ROWS,
	MIN_BYTES_PER_SECOND,
	USERNAME_MAX_LENGTH,
	USERNAME_MIN_LENGTH,
} from '../../../packages/contract/src/limits.ts';
import { REFERENCE_FORM, REFERENCE_HEADER } from '../../../packages/contract/src/reference.ts';
import { NORMALIZED_USERNAME, USERNAME_RULE } from '../../../packages/contract/src/username.ts';
import { bracketed, fullMatch, literal, snakeCase } from './python.ts';
import type { ApiDocument } from './schemas.ts';

const HEADERS = {
	ERROR_CODE_HEADER,
	REQUEST_ID_HEADER,
	CHANGE_ID_HEADER,
	REQUEST_EXPIRES_HEADER,
	REFERENCE_HEADER,
	EVENTS_OLDEST_HEADER,
	EVENTS_NEWEST_HEADER,
	STATEMENT_NEWEST_HEADER,
	/** The value of the two headers in an answer to a request that had none. */
	HONOURED: EXPIRY_HONOURED,
};

const LIMITS = {
	CREATE_FEE_CENTS,
	MAX_CENTS,
	MAX_BYTES,
	MAX_BYTES_PER_SECOND,
	MIN_BYTES_PER_SECOND,
	MAX_CONNECTIONS,
	MAX_ALLOWED_IPS,
	MAX_PAGE_ROWS,
	MAX_EVENT_WAIT_SECONDS,
	EFFECT_LIMIT_SECONDS: EFFECT_LIMIT_MS / 1_000,
	CHANGE_KEPT_SECONDS: CHANGE_KEPT_MS / 1_000,
	USERNAME_MIN_LENGTH,
	USERNAME_MAX_LENGTH,
	USERNAME_RULE,
};

const PATTERNS = { CHANGE_ID: CHANGE_ID_FORM, REFERENCE: REFERENCE_FORM, USERNAME: NORMALIZED_USERNAME };

/** The module with the routes, the error codes, the headers and the limits. */
export function apiModule(document: ApiDocument, version: string): string {
	const routes = Object.entries(document.paths).flatMap(([path, methods]) =>
		Object.entries(methods).map(
			([method, { operationId }]) => [snakeCase(operationId), method.toUpperCase(), path] as const,
		),
	);
	return `import re
from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

VERSION: Final = ${literal(pythonVersion(version))}

${bracketed(
	'Operation: TypeAlias = Literal',
	'[',
	routes.map(([name]) => literal(name)),
	']',
)}

ROUTES: Final[Mapping[Operation, tuple[str, str]]] = {
${routes.map(([name, ...route]) => `    ${literal(name)}: (${route.map(literal).join(', ')}),\n`).join('')}}
"""The method and the path of each operation."""

${bracketed('ErrorCode: TypeAlias = Literal', '[', Object.keys(errors).map(literal), ']')}

ERRORS: Final[Mapping[str, tuple[int, str]]] = {
${Object.entries(errors).map(errorEntry).join('')}}
"""The status and the message of each error code."""

FREE_OF_CREATE_FEE: Final[frozenset[str]] = frozenset(
    {
${[...FREE_OF_CREATE_FEE].map((code) => `        ${literal(code)},\n`).join('')}    }
)
"""The failures of a create that cost nothing. After \`outcome_unknown\` the fee may have been charged."""

${constants(HEADERS, literal)}
${constants(LIMITS, literal)}
# For \`fullmatch\`. A username is matched in lowercase.
${constants(PATTERNS, fullMatch)}`;
}

function errorEntry([code, { status, message }]: [string, { status: number; message: string }]): string {
	const entry = `    ${literal(code)}: (${status}, ${literal(message)}),\n`;
	return entry.length <= 121
		? entry
		: `    ${literal(code)}: (\n        ${status},\n        ${literal(message)},\n    ),\n`;
}

function constants<Value>(values: Readonly<Record<string, Value>>, written: (value: Value) => string): string {
	return Object.entries(values)
		.map(([name, value]) => `${name}: Final = ${written(value)}\n`)
		.join('');
}

/** `1.0.0-rc.1` as Python's packages write it: `1.0.0rc1`. */
function pythonVersion(version: string): string {
	const [, release, stage, count] = /^(\d+\.\d+\.\d+)(?:-(alpha|beta|rc)\.(\d+))?$/.exec(version) ?? [];
	if (release === undefined) throw new Error(`${version} has no form for Python.`);
	return stage === undefined ? release : `${release}${{ alpha: 'a', beta: 'b' }[stage] ?? stage}${count}`;
}
