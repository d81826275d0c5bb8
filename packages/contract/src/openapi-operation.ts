import type { Endpoint } from './endpoints.ts';
import { successEnvelope } from './envelope.ts';
import { commonHeaders, EXAMPLE_TIME_MS, failureResponseReferences } from './openapi-responses.ts';
import { answerName, refer, schemaReference } from './openapi-schemas.ts';

/** The OpenAPI operation of an endpoint. */
export function operationOf(operationId: string, endpoint: Endpoint) {
	return {
		operationId,
		tags: [endpoint.tag],
		summary: endpoint.summary,
		description: endpoint.description,
		parameters: [{ $ref: '#/components/parameters/RequestExpires' }],
		...(endpoint.request && {
			requestBody: {
				required: true,
				content: { 'application/json': { schema: refer(endpoint.request), example: endpoint.requestExample } },
			},
		}),
		responses: {
			200: {
				description: endpoint.answer,
				headers: commonHeaders,
				content: {
					'application/json': {
						schema: schemaReference(answerName(endpoint.data)),
						example: successEnvelope(endpoint.dataExample, EXAMPLE_TIME_MS),
					},
				},
			},
			...failureResponseReferences(endpoint),
		},
	};
}
