import { snakeCase } from './python.ts';
import type { ApiDocument } from './schemas.ts';

/** The example of the answer of each operation, each on a line, for tests. */
export function exampleLines(document: ApiDocument): string {
	return Object.values(document.paths)
		.flatMap((methods) => Object.values(methods))
		.map(({ operationId, responses }) => {
			const data = responses['200']?.content?.['application/json']?.example?.data;
			if (data === undefined) throw new Error(`${operationId} has no example of its answer.`);
			return `${JSON.stringify({ operation: snakeCase(operationId), data })}\n`;
		})
		.join('');
}
