import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

/** A request that a page of the documents shows as a command of curl. */
export interface DocumentedRequest {
	/** The page and the command. */
	readonly name: string;
	readonly isOfEdge: boolean;
	readonly path: string;
	/** Without the token. */
	readonly headers: Readonly<Record<string, string>>;
	/** `undefined` for a GET. */
	readonly body: string | undefined;
}

const ADDRESS = /(\$BASE_URL|\$EDGE_URL|http:\/\/127\.0\.0\.1:8080)(\/\S+)/;

/** The requests of a page, in its order. */
export function documentedRequests(page: string): readonly DocumentedRequest[] {
	const text = readFileSync(new URL(`../../../../${page}`, import.meta.url), 'utf8');
	return Array.from(text.matchAll(/^curl (?:.*\\\n)*.*$/gm), ([command]) => {
		const [, origin, path = ''] = ADDRESS.exec(command) ?? assert.fail(command);
		const line = command.replaceAll('\\\n', '');
		const [, body] = /-d '(.+)' /s.exec(line) ?? [];
		const headers = Array.from(line.matchAll(/-H '([\w-]+): ([^']+)'/g), ([, name = '', value = '']) => [name, value]);
		return {
			name: `${page}: ${command}`,
			isOfEdge: origin === '$EDGE_URL',
			path,
			headers: Object.fromEntries(headers),
			body,
		};
	});
}

/** Sends it as curl would. */
export async function sendDocumented(
	{ path, headers, body }: DocumentedRequest,
	{ url, token }: { readonly url: string; readonly token: string },
): Promise<{ readonly status: number; readonly text: string }> {
	const answer = await fetch(url + path, {
		method: body === undefined ? 'GET' : 'POST',
		headers: { ...headers, authorization: `Bearer ${token}` },
		...(body !== undefined && { body }),
	});
	return { status: answer.status, text: await answer.text() };
}
